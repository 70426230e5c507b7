/** The folder with the files of Swagger UI, which the build copies there. They are a package of their own. */
export const SWAGGER_UI = new URL('./assets/', import.meta.url);
