@rem For npm start on Windows, whose shell has no exec. Elsewhere exec lets signals of npm reach Node.
@%*
