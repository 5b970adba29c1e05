/**
 * Sends mail: to an outbox folder beside the book, or by SMTP where that is configured.
 *
 * The mail library is loaded with the first message.
 */

import { join } from "node:path";
import { UnavailableError } from "../resources/errors.ts";
import { showDirectionMarks } from "../resources/scalar.ts";
import { asDiskError } from "./disk.ts";

export interface MailAttachment {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface Message {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: readonly string[];
  readonly cc?: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly attachments?: readonly MailAttachment[];
  /** Time of the message in milliseconds since 1970 UTC. */
  readonly at: number;
  /** Unique id of the message; messages with the same id are the same message. */
  readonly id: string;
}

/** Delivers a message. @throws UnavailableError where it could not be delivered */
export type Mailer = ((message: Message) => Promise<void>) & {
  /** Outbox folder, where messages are kept instead of being sent. */
  readonly outbox?: string;
  /** File names of the messages in the outbox to one of the addresses. */
  readonly heldFor?: (addresses: readonly string[]) => Promise<readonly string[]>;
  /** Deletes the messages in the outbox to one of the addresses. */
  readonly forget?: (addresses: readonly string[]) => Promise<void>;
};

/** File name of a message in the outbox. */
export function fileNameOf({ at, id }: Pick<Message, "at" | "id">): string {
  return `${new Date(at).toISOString().replace(/[:.]/g, "-")}-${id}.eml`;
}

/**
 * Creates a mailer that writes each message as a file `<time>-<id>.eml`, which mail programs can
 * open.
 */
export function outboxMailer(folder: string): Mailer {
  const keepMessage = async (message: Message) => {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
    const sentInfo = await transport.sendMail(envelopeOf(message));
    const { mkdir, rename, writeFile } = await import("node:fs/promises");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await closeToOthers(folder);
    const path = join(folder, fileNameOf(message));
    await writeFile(`${path}.part`, sentInfo.message as Buffer, { mode: 0o600 });
    await rename(`${path}.part`, path);
  };
  const explained = (message: Message) =>
    keepMessage(message).catch((error) => {
      throw asDiskError(folder, error);
    });
  const heldFor = (addresses: readonly string[]) => messagesTo(folder, addresses);
  return Object.assign(explained, {
    outbox: folder,
    heldFor,
    async forget(addresses: readonly string[]) {
      const { rm } = await import("node:fs/promises");
      for (const name of await heldFor(addresses)) await rm(join(folder, name), { force: true });
    },
  });
}

/** File names of the messages in an outbox to one of the addresses. */
async function messagesTo(folder: string, addresses: readonly string[]): Promise<string[]> {
  if (addresses.length === 0) return [];
  const { readdir, readFile } = await import("node:fs/promises");
  const wanted = new Set(addresses.map((address) => address.toLowerCase()));
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw asDiskError(folder, error);
  });
  const messages: string[] = [];
  for (const name of names.filter((name) => name.endsWith(".eml"))) {
    const message = await readFile(join(folder, name), "latin1");
    // Unfolds header lines: a line that begins with a space continues the one before.
    const headText = message.slice(0, message.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
    const receivers = [...headText.matchAll(/^(?:To|Cc): (.*)$/gim)].flatMap(([, each = ""]) =>
      each.split(/[\s,<>]+/),
    );
    if (receivers.some((receiver) => wanted.has(receiver.toLowerCase()))) messages.push(name);
  }
  return messages;
}

/**
 * Restricts an outbox and its messages to the owner, where other users of the machine can read
 * them.
 */
async function closeToOthers(folder: string): Promise<void> {
  const { chmod, readdir, stat } = await import("node:fs/promises");
  if (process.platform === "win32" || ((await stat(folder)).mode & 0o077) === 0) return;
  for (const name of await readdir(folder)) {
    if (name.endsWith(".eml")) await chmod(join(folder, name), 0o600);
  }
  // The folder comes last, so that the repair is repeated if the process is killed before it.
  await chmod(folder, 0o700);
}

/** Mailer of a book with neither outbox folder nor mail server. @throws UnavailableError */
export const noMailer: Mailer = () => {
  throw new UnavailableError(
    "NoMailServer",
    "No mail can be sent: this service was given no mail server (ACCT_SMTP_URL).",
  );
};

/**
 * Creates a mailer that sends by SMTP.
 *
 * @param url  `smtp://user:password@host:port` or `smtps://…`; a function is asked at each message
 */
export function smtpMailer(url: string | (() => string)): Mailer {
  return async (message) => {
    const transport = await transportTo(typeof url === "string" ? url : url());
    try {
      await transport.sendMail(envelopeOf(message));
    } catch (cause) {
      const text = "The mail server did not take the message; try again.";
      throw new UnavailableError("MailNotSent", text, { cause });
    } finally {
      transport.close();
    }
  };
}

/** Signs in to a mail server, and sends nothing. @throws UnavailableError */
export async function tryMailServer(url: string): Promise<void> {
  const transport = await transportTo(url);
  try {
    await transport.verify();
  } catch (cause) {
    const text = `The mail server does not answer as it should: ${(cause as Error).message}`;
    throw new UnavailableError("NoMailServer", text, { cause });
  } finally {
    transport.close();
  }
}

async function transportTo(url: string) {
  const { createTransport } = await import("nodemailer");
  return createTransport(url, { connectionTimeout: 20_000, socketTimeout: 30_000 } as object);
}

function envelopeOf(message: Message) {
  return {
    from: message.from,
    to: [...message.to],
    ...(message.cc === undefined || message.cc.length === 0 ? {} : { cc: [...message.cc] }),
    subject: showDirectionMarks(message.subject),
    text: message.text,
    attachments: (message.attachments ?? []).map(({ name, type, bytes }) => ({
      filename: name,
      contentType: type,
      content: Buffer.from(bytes),
    })),
    // The MIME boundary derives from the id instead of being random, so that equal messages are
    // equal files.
    baseBoundary: message.id,
    date: new Date(message.at),
    messageId: `<${message.id}@acct.invalid>`,
  };
}

/** Whether a text is a single email address. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(text);
}
