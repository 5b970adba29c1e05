/** Checks of a book on this machine, or in a database. */
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { examine, fileInFolder, namesIn, outboxOf, verify } from "../../admin/book.ts";
import { distributionOf } from "../../admin/serve-book.ts";
import { databaseAddress, folderAddress } from "../../platform/book-address.ts";
import { AuthError, RefusedError, UsageError } from "../../resources/errors.ts";
import { counted } from "../../resources/scalar.ts";
import { expectOrganisation } from "../connection/book-path.ts";
import type { Context } from "../context/context.ts";
import type { Target } from "../context/target.ts";
import { posixQuote } from "../values/quote.ts";
import { type Finding, ok, problem, runCheck, warning } from "./finding.ts";
import { openToOthers } from "./machine.ts";

type Local = Exclude<Target, { kind: "remote" }>;

/** Minimum free disk space in bytes; with less an import may fail. */
const freeBytesMin = 100 * 1024 * 1024;

export async function bookFindings(
  target: Local,
  { verify: isWhole = false }: { readonly verify?: boolean | undefined },
  env: Context["env"],
): Promise<Finding[]> {
  if (databaseAddress(target.path) !== undefined) {
    const finding = await runCheck("database", async () =>
      ok("database", `it answers, and holds ${namesText(await namesIn(target.path))}`),
    );
    if (finding.state === "wrong") return [finding];
    const nodes = await nodesFinding(target.path);
    const mail = await mailFinding(target.path, env);
    return [finding, ...nodes, mail, ...(isWhole ? [await wholeFinding(target.path)] : [])];
  }
  let path = target.path;
  const inFolder = folderAddress(path);
  if (inFolder !== undefined) {
    try {
      path = await fileInFolder(inFolder);
    } catch (error) {
      return [problem("folder", error)];
    }
  }
  if (!existsSync(path)) return [missingBook(target, path)];
  try {
    await expectOrganisation(target);
  } catch (error) {
    return [problem("book", error)];
  }
  return [...(await fileFindings(path, isWhole)), await mailFinding(path, env)];
}

/** Names tables that are not distributed in a database where others are. */
async function nodesFinding(path: string): Promise<Finding[]> {
  const { left, shards } = (await distributionOf(path)) ?? { left: [], shards: undefined };
  if (shards === undefined || left.length === 0) return [];
  const detail = `${counted(left.length, "table")} of organisations lie on no worker: ${left.join(", ")}.`;
  return [warning("nodes", detail, "acct database distribute goes on with them.")];
}

function namesText(names: readonly string[]): string {
  const [only] = names;
  return names.length === 1 ? `the book of ${only}` : counted(names.length, "organisation");
}

/**
 * Checks whether invoices can be emailed, or where they are written instead. Hides the password.
 */
async function mailFinding(
  path: string,
  { ACCT_SMTP_URL: address }: Context["env"],
): Promise<Finding> {
  const subject = "mail";
  if (address) {
    const server = URL.parse(address);
    if (server !== null && /^smtps?:$/.test(server.protocol) && server.host !== "") {
      return ok(subject, `emails are sent by ${server.host}, as ACCT_SMTP_URL says`);
    }
    const error = new UsageError("BadAddress", "ACCT_SMTP_URL is no address of a mail server.");
    return problem(subject, error, "It looks like smtp://user:password@host:587.");
  }
  const outbox = await outboxOf(path);
  const mailText =
    outbox === undefined ? "no email can be sent" : `emails are written to ${outbox}, not sent`;
  return ok(subject, `${mailText}; ACCT_SMTP_URL may name a mail server`);
}

function missingBook({ kind }: Local, path: string): Finding {
  if (kind === "demo") return ok("book", "the sample company is made on first use");
  const hidden = accessError(path);
  if (hidden !== undefined) return problem("permission", hidden, "Ask whoever keeps this machine.");
  const error = new UsageError("NoBook", `There is no book at ${path}.`);
  const initCommand = `acct init --book ${posixQuote(path)}`;
  return problem("book", error, `Make one with ${initCommand}, or name another with --book.`);
}

/** Returns the error where a folder may not be read, so that its content is unknown. */
function accessError(path: string): AuthError | undefined {
  try {
    statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") return undefined;
    const message = `You may not look into the folder of ${path}.`;
    return new AuthError("NotPermitted", message, 403);
  }
  return undefined;
}

async function fileFindings(path: string, isWhole: boolean): Promise<Finding[]> {
  const permitted = checkPermission(path);
  if (permitted.state === "wrong") return [permitted];
  const finding = await runCheck("book", () => bookFinding(path), restoring(path));
  const othersFinding = openToOthers(path);
  const space = await runCheck("space", () => spaceFinding(path));
  const pathFindings = [permitted, ...(othersFinding === undefined ? [] : [othersFinding]), space];
  if (finding.state === "wrong") return [finding, ...pathFindings];
  return [finding, ...pathFindings, ...(isWhole ? [await wholeFinding(path)] : [])];
}

const restoring = (path: string) =>
  `If it was a book: acct book restore BACKUP --book ${posixQuote(path)}.`;

/**
 * Checks header, organisation and trial balance of the book.
 *
 * @throws RefusedError
 */
async function bookFinding(path: string): Promise<Finding> {
  const { version, wanted, name, outBy, damage } = await examine(path);
  const text = `${name}: tables of version ${version}`;
  if (damage !== undefined) throw new RefusedError("BookDamaged", `${text}, damaged: ${damage}.`);
  if (outBy !== 0) {
    throw new RefusedError("DoesNotAddUp", `${text}, balances do not come to nothing.`);
  }
  const isOlder = version < wanted;
  const laterText = isOlder ? `; the next command brings it up to version ${wanted}` : "";
  return ok("book", `${text}, balances come to nothing${laterText}`);
}

function checkPermission(path: string): Finding {
  const subject = "permission";
  const notAllowed = (access: string, of: string) =>
    problem(
      subject,
      new AuthError("NotPermitted", `You may not ${access} ${of}.`, 403),
      "Ask its owner, or whoever keeps this machine.",
    );
  if (!may(path, constants.R_OK)) return notAllowed("read", path);
  if (!may(path, constants.W_OK)) return notAllowed("write to", path);
  // SQLite writes its journal beside the book file.
  if (!may(dirname(path), constants.W_OK)) return notAllowed("write to the folder", dirname(path));
  return ok(subject, "the book and its folder may be read and written");
}

function may(path: string, access: number): boolean {
  try {
    accessSync(path, access);
    return true;
  } catch {
    return false;
  }
}

function spaceFinding(path: string): Finding {
  const { bavail, bsize } = statfsSync(dirname(path));
  const freeCount = bavail * bsize;
  const { size } = statSync(path);
  const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  const text = `${mebibytes(freeCount)} are free, and the book takes ${mebibytes(size)}`;
  if (freeCount > Math.max(freeBytesMin, size)) return ok("space", text);
  return warning("space", `Only ${text}.`, "Make room on that disk.");
}

/** Runs the whole verification of `acct book verify`. */
function wholeFinding(path: string): Promise<Finding> {
  return runCheck("sums", async () => {
    const { checks, faults } = await verify(path);
    if (faults.length === 0) return ok("sums", `everything adds up, in ${checks.length} checks`);
    const message = `The book does not add up: ${counted(faults.length, "fault")}, the first: ${faults[0]}`;
    return problem("sums", new RefusedError("DoesNotAddUp", message), "See acct book verify.");
  });
}
