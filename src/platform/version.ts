import program from "../../package.json" with { type: "json" };

/** The version of this program. */
export const version: string = program.version;

/** Fingerprint of the sources of the service; the bundler inserts it. */
declare const BUILD: string | undefined;

/** Identifies this build, also among builds of the same version. */
export const build: string = typeof BUILD === "undefined" ? version : `${version}-${BUILD}`;
