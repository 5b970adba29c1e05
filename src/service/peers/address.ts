/** Where a process takes connections of its peers, and which those are: `acct-http-1/9f2c51d0/tmp/acct-x7/peer`. */

/** Those who speak like this version of the program; what speaks otherwise has another. */
const protocol = "acct-http-1";
const form = /^([^/]+\/[^/]*)(\/.*)$/s;

/** @param group  without a slash @param path  of a socket, absolute */
export function addressAt(group: string, path: string): string {
  return `${protocol}/${group}${path}`;
}

/** Equal for those who may hand over to each other. */
export function kindredOf(address: string): string {
  return form.exec(address)?.[1] ?? "";
}

export function pathIn(address: string): string {
  return form.exec(address)?.[2] ?? "";
}
