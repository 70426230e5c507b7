/** The build writes this module: a name for the program, which is another one when a file of it differs. */
export declare const BUILD: string;
