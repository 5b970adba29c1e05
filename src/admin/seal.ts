/**
 * Seals: the head of a book's hash chain in a text to be kept elsewhere, signed on request.
 *
 * A chain that was rewritten later has another hash at the sealed link, so changes to sealed
 * entries are detected. Signatures are those of OpenSSH (`ssh-keygen -Y`), over the text before
 * them.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inputText } from "../platform/input-file.ts";
import { inputBounds } from "../resources/bounds.ts";
import { RefusedError, UnavailableError, UsageError } from "../resources/errors.ts";
import { type ActLogged, bookAct, enterAct, type OperatorContext, withBook } from "./book.ts";

/** A position in the hash chain of a book. */
export interface Seal {
  /** Number of links up to this position. */
  readonly links: number;
  /** Hash of the last link, hexadecimal. */
  readonly head: string;
  /** Organisation of the book; undefined where only the mark of a seal is known. */
  readonly organisationId: string | undefined;
  readonly organisation: string | undefined;
  /** Time of sealing in ISO 8601; undefined where only the mark is known. */
  readonly sealed: string | undefined;
}

export interface MadeSeal extends Seal {
  /** The text to be kept elsewhere: the facts of the seal, followed by its signature. */
  readonly text: string;
}

/**
 * Namespace of the signatures, so that a signature made for another purpose is not accepted here.
 */
const namespace = "acct-seal";
const firstLine = "acct seal, version 1";
const beginMarker = "-----BEGIN SSH SIGNATURE-----";

/** Mark of a seal: the number of links and the head in one word. */
export const markOf = ({ links, head }: Pick<Seal, "links" | "head">): string => `${links}:${head}`;

const sealPattern = /^(\d{1,15}):([0-9a-f]{64})$/;

/**
 * Seals the present state of a book.
 *
 * @param options.sign  path of the key that signs the seal
 * @throws RefusedError `NotSigned`, UnavailableError `NoSshKeygen`
 */
export async function seal(
  path: string,
  options: OperatorContext & { readonly sign?: string | undefined },
): Promise<MadeSeal & ActLogged> {
  const chain = await withBook(path, async (book) => {
    const { headOf, nameOf } = await import("../service/books/book.ts");
    return {
      ...(await headOf(book)),
      organisationId: book.tenant,
      organisation: await nameOf(book),
    };
  });
  const { number: links, hash: head, organisationId, organisation } = chain;
  const sealFacts = {
    links,
    head,
    organisationId,
    organisation: organisation.replace(/\s+/g, " "),
    sealed: new Date(options.clock()).toISOString(),
  };
  const text = `${firstLine}
Organisation    ${sealFacts.organisation}
OrganisationID  ${organisationId}
Sealed          ${sealFacts.sealed}
Seal            ${markOf(sealFacts)}
`;
  const signature = options.sign === undefined ? "" : sign(text, options.sign);
  const unlogged = await enterAct(
    path,
    await bookAct("book.sealed", options, { Seal: markOf(sealFacts) }),
  );
  return { ...sealFacts, text: `${text}${signature}`, unlogged };
}

function sign(text: string, key: string): string {
  if (!existsSync(key)) throw new UsageError("BadValue", `There is no key at ${key}.`);
  const { status, stdout, stderr } = runKeygen(["-Y", "sign", "-n", namespace, "-f", key], text);
  if (status === 0 && stdout.startsWith(beginMarker)) return stdout;
  throw new RefusedError("NotSigned", `The seal was not signed with ${key}: ${lastLine(stderr)}`);
}

export interface ReadSeal extends Seal {
  readonly signature: Signature | undefined;
}

export interface Signature {
  /** Principal of the signature in the allowed-signers file; undefined without such a file. */
  readonly signer: string | undefined;
  /** Type and fingerprint of the signing key, as ssh-keygen prints them. */
  readonly key: string;
}

/**
 * Reads a seal and verifies its signature, if it has one.
 *
 * @param seal            path of a file with the seal, or the mark of a seal
 * @param allowedSigners  path of an allowed-signers file of OpenSSH
 * @throws UsageError `NoSeal`; RefusedError `SignatureInvalid`, `NotSigned`
 */
export function readSeal(seal: string, allowedSigners?: string): ReadSeal {
  const inWords = sealPattern.exec(seal);
  const text = inWords === null ? sealFile(seal) : seal;
  const at = text.indexOf(beginMarker);
  const message = at < 0 ? text : text.slice(0, at);
  const field = (name: string) =>
    new RegExp(`^${name} +(.+?)\\r?$`, "m").exec(message)?.[1] ?? undefined;
  const match = inWords ?? sealPattern.exec(field("Seal") ?? "");
  if (match === null || (inWords === null && !message.startsWith(firstLine))) {
    throw new UsageError("NoSeal", `${seal} is no seal: acct book seal prints one.`);
  }
  if (at < 0 && allowedSigners !== undefined) {
    throw new RefusedError("NotSigned", "The seal bears no signature.");
  }
  return {
    links: Number(match[1]),
    head: match[2] ?? "",
    organisationId: field("OrganisationID"),
    organisation: field("Organisation"),
    sealed: field("Sealed"),
    signature: at < 0 ? undefined : verify(message, text.slice(at), allowedSigners),
  };
}

function sealFile(path: string): string {
  try {
    return inputText(path, inputBounds.note);
  } catch (error) {
    if (error instanceof UsageError && error.code === "FileTooLarge") throw error;
    const isMissing = error instanceof UsageError && error.code === "NoFile" && !existsSync(path);
    const problem = isMissing ? "there is no such file" : "it cannot be read";
    throw new UsageError("NoSeal", `${path} is no seal: ${problem}.`, [], { cause: error });
  }
}

function verify(message: string, signature: string, allowed: string | undefined): Signature {
  const folder = mkdtempSync(join(tmpdir(), "acct-seal-"));
  try {
    const file = join(folder, "signature");
    writeFileSync(file, signature, { mode: 0o600 });
    const about = ["-n", namespace, "-s", file];
    if (allowed === undefined) {
      const { status, stdout, stderr } = runKeygen(["-Y", "check-novalidate", ...about], message);
      if (status !== 0) throw invalid(stderr);
      return { signer: undefined, key: keyIn(stdout) };
    }
    if (!existsSync(allowed)) {
      throw new UsageError("BadValue", `There is no list of allowed signers at ${allowed}.`);
    }
    const list = ["-f", allowed];
    const principals = runKeygen(["-Y", "find-principals", ...list, "-s", file], message);
    const [signer = ""] = principals.stdout.split("\n");
    if (principals.status !== 0 || signer === "") {
      throw invalid(`its key is not on the list ${allowed}`);
    }
    const verified = runKeygen(["-Y", "verify", "-I", signer, ...list, ...about], message);
    if (verified.status !== 0) throw invalid(verified.stderr || verified.stdout);
    return { signer, key: keyIn(verified.stdout) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Finds the key in the output of ssh-keygen: `Good "acct-seal" signature with ED25519 key SHA256:…`
 */
const keyIn = (output: string): string => / with (.+)$/m.exec(output)?.[1] ?? "a key";

const invalid = (why: string) =>
  new RefusedError("SignatureInvalid", `The signature of the seal is not valid: ${lastLine(why)}`);

const lastLine = (output: string) => `${output.trim().split("\n").at(-1)?.replace(/\.$/, "")}.`;

/**
 * Runs ssh-keygen.
 *
 * A program that exits before it has read its input (for an invalid key, say) breaks the pipe. Node
 * reports that as an error, but the program ran and its exit status counts.
 */
function runKeygen(words: readonly string[], input: string) {
  const { error, status, stdout, stderr } = spawnSync("ssh-keygen", words, {
    input,
    encoding: "utf8",
  });
  if (status !== null) return { status, stdout, stderr };
  const message = "Signatures need ssh-keygen, which cannot be run; install OpenSSH.";
  throw new UnavailableError("NoSshKeygen", message, { cause: error });
}
