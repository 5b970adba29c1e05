import program from "../../package.json" with { type: "json" };

/** The version of this program. */
export const version: string = program.version;

/** Written in by the bundler: stands for the sources of the service. */
declare const BUILD: string | undefined;

/** What tells this build from others, those of the same version included. */
export const build: string = typeof BUILD === "undefined" ? version : `${version}-${BUILD}`;
