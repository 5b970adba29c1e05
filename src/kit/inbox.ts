/** The mail of a test, which goes to nobody. */

import type { Message } from "../platform/mail.ts";
import { UnavailableError } from "../resources/errors.ts";
import type { Mail } from "./face.ts";

/** Events that arrive, are looked at, and are taken one by one by those who wait for them. */
export class Arrivals<T> {
  readonly #said: (arrival: T) => string;
  #all: T[] = [];
  #taken = new Set<T>();
  readonly #waiting = new Set<() => void>();

  /** @param describe  names an event in the error of somebody who waited in vain */
  constructor(describe: (arrival: T) => string) {
    this.#said = describe;
  }

  add(arrival: T): void {
    this.#all.push(arrival);
    for (const look of [...this.#waiting]) look();
  }

  get all(): readonly T[] {
    return this.#all;
  }

  /** Goes back to a state of `all`, with what was taken by then. */
  reset(arrivals: readonly T[] = []): void {
    this.#all = [...arrivals];
    this.#taken = new Set(arrivals);
  }

  /** @throws UnavailableError `NotArrived` after the wait */
  async next(isMeant: (arrival: T) => boolean, waitMs: number): Promise<T> {
    const findArrival = () => this.#all.find((each) => !this.#taken.has(each) && isMeant(each));
    let arrival = findArrival();
    if (arrival === undefined) {
      await new Promise<void>((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          this.#waiting.delete(look);
          resolve();
        };
        const look = () => {
          if (findArrival() !== undefined) finish();
        };
        const timer = setTimeout(finish, waitMs);
        this.#waiting.add(look);
      });
      arrival = findArrival();
    }
    if (arrival !== undefined) {
      this.#taken.add(arrival);
      return arrival;
    }
    const otherArrivals = this.#all.filter((each) => !this.#taken.has(each)).map(this.#said);
    const instead = otherArrivals.length === 0 ? "nothing" : otherArrivals.join("; ");
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
