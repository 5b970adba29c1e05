/** The mail of a test, which goes to nobody. */

import type { Message } from "../platform/mail.ts";
import { UnavailableError } from "../resources/errors.ts";
import type { Mail } from "./face.ts";

/** Events that arrive, are looked at, and are taken one by one by those who wait for them. */
export class Arrivals<T> {
  readonly #said: (thing: T) => string;
  #all: T[] = [];
  #taken = new Set<T>();
  readonly #waiting = new Set<() => void>();

  /** @param said  names an event in the error of somebody who waited in vain */
  constructor(said: (thing: T) => string) {
    this.#said = said;
  }

  add(thing: T): void {
    this.#all.push(thing);
    for (const look of [...this.#waiting]) look();
  }

  get all(): readonly T[] {
    return this.#all;
  }

  /** Goes back to a state of `all`, with what was taken by then. */
  reset(all: readonly T[] = []): void {
    this.#all = [...all];
    this.#taken = new Set(all);
  }

  /** @throws UnavailableError `NotArrived` after the wait */
  async next(isMeant: (thing: T) => boolean, waitMs: number): Promise<T> {
    const found = () => this.#all.find((each) => !this.#taken.has(each) && isMeant(each));
    let thing = found();
    if (thing === undefined) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          this.#waiting.delete(look);
          resolve();
        };
        const look = () => {
          if (found() !== undefined) done();
        };
        const timer = setTimeout(done, waitMs);
        this.#waiting.add(look);
      });
      thing = found();
    }
    if (thing !== undefined) {
      this.#taken.add(thing);
      return thing;
    }
    const others = this.#all.filter((each) => !this.#taken.has(each)).map(this.#said);
    const instead = others.length === 0 ? "nothing" : others.join("; ");
    throw new UnavailableError("NotArrived", `Within ${waitMs} ms came ${instead}.`);
  }
}

/** A message as a test reads it. */
export function mailOf({ from, to, cc = [], subject, text, attachments = [] }: Message): Mail {
  return {
    from: from.address,
    to,
    cc,
    subject,
    text,
    links: [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(([link]) => link),
    attachments: attachments.map(({ name, bytes }) => ({
      name,
      base64: Buffer.from(bytes).toString("base64"),
    })),
  };
}

export const mailsTo =
  (to: string | undefined) =>
  (mail: Mail): boolean =>
    to === undefined ||
    [...mail.to, ...mail.cc].some((text) => text.toLowerCase() === to.toLowerCase());
