/**
 * What happens in a simulation, as a list of steps that follows from a seed alone.
 *
 * A step says what is done and never to which record by its id: numbers choose among what is there, so
 * that a list from which steps were taken out can still be run.
 */
import { kinds as chaosKinds } from "../../src/service/fault-injection/plan.ts";
import { type Step as BusinessStep, step as business } from "../service/business.ts";
import { fc } from "../support/properties.ts";

/** Who asks: which of two servers, and whether over its port or in its process. */
export interface Client {
  readonly server: 0 | 1;
  readonly via: "port" | "process";
}

/** What becomes of the next request over a port of a server. */
export const networkFaults = [
  ...chaosKinds.filter((kind) => kind !== "delay"),
  /** The request never arrives. */
  "lost",
  /** It arrives twice at the same time. */
  "duplicate",
  /** It arrives again when others have been answered since. */
  "late",
  /** Others overtake it. */
  "slow",
] as const;
export type NetworkFault = (typeof networkFaults)[number];

/** What the database does at one of its next statements. */
export const storeFaults = [
  "busy",
  /** The process is killed there. */
  "killed",
  /** The process is killed, or cut off from its database, when a commit is on disk. */
  "killed after a commit",
] as const;
export type StoreFault = (typeof storeFaults)[number];

/** What the disk does from some moment of the next step on. */
export const diskFaults = ["full", "failing", "failing to sync", "read-only", "short"] as const;
export type DiskTrouble = (typeof diskFaults)[number];

/** What the subscriber does with deliveries, or the process that delivers. */
export const fates = ["answer", "answer", "refuse", "lose the answer", "die"] as const;
export type Fate = (typeof fates)[number];

export const clockMoves = [
  "a second back",
  "an hour back",
  "a day back",
  "an hour on",
  "midnight",
  "the end of the month",
] as const;
export type ClockMove = (typeof clockMoves)[number];

export const assetDeeds = ["buy", "buy", "depreciate", "roll back", "dispose of"] as const;
export type AssetDeed = (typeof assetDeeds)[number];

export const commands = [
  "contact",
  "invoice",
  "import",
  "init",
  "backup",
  "copy",
  "restore",
  "seal",
  "verify",
] as const;
export type CommandKind = (typeof commands)[number];

interface Asked {
  readonly client: Client;
  readonly step: BusinessStep;
}

export type Step =
  | ({ readonly does: "business" } & Asked)
  /** Several clients at the same time. */
  | { readonly does: "together"; readonly asked: readonly Asked[] }
  /** A sale without a date, a moment before or after midnight where the organisation is. */
  | { readonly does: "midnight"; readonly client: Client; readonly isAfter: boolean }
  | { readonly does: "statement"; readonly client: Client; readonly lines: readonly number[] }
  | { readonly does: "reconcile"; readonly client: Client }
  /** Several sales in one request, of which one is refused and the others are kept. */
  | { readonly does: "batch"; readonly client: Client; readonly amounts: readonly number[] }
  /** A sale that is only tried. */
  | { readonly does: "dry run"; readonly client: Client; readonly cents: number }
  /** A file on a document, a note in its history, and perhaps the file taken off again. */
  | {
      readonly does: "attach";
      readonly client: Client;
      readonly which: number;
      readonly bytes: number;
      readonly removes: boolean;
    }
  /** A sale that is planned, perhaps overtaken by another, and applied by two at the same time. */
  | {
      readonly does: "plan";
      readonly client: Client;
      readonly other: Client;
      readonly cents: number;
      readonly isOvertaken: boolean;
    }
  /** One of the last operations is taken back, and perhaps done again. */
  | {
      readonly does: "undo";
      readonly client: Client;
      readonly which: number;
      readonly isDoneAgain: boolean;
    }
  /** The books are locked up to a day while others work, and opened again. */
  | {
      readonly does: "lock";
      readonly client: Client;
      readonly days: number;
      readonly asked: readonly Asked[];
    }
  | {
      readonly does: "asset";
      readonly client: Client;
      readonly deed: AssetDeed;
      readonly which: number;
      readonly cents: number;
    }
  /** Invoices that are due by their schedules, made by two at the same time, perhaps with a new one. */
  | {
      readonly does: "schedule";
      readonly client: Client;
      readonly other: Client;
      readonly cents: number;
      readonly isNew: boolean;
    }
  /** A request that was answered before is sent again under its key. */
  | { readonly does: "repeat"; readonly client: Client; readonly which: number }
  | { readonly does: "command"; readonly command: CommandKind; readonly which: number }
  | { readonly does: "deliver"; readonly server: 0 | 1; readonly fate: Fate }
  | { readonly does: "wait"; readonly minutes: number }
  /** The clock is put to another moment, as one is that was wrong. */
  | { readonly does: "clock"; readonly to: ClockMove; readonly client: Client }
  | { readonly does: "network fault"; readonly server: 0 | 1; readonly fault: NetworkFault }
  | {
      readonly does: "store fault";
      readonly server: 0 | 1;
      readonly fault: StoreFault;
      readonly after: number;
    }
  | { readonly does: "disk fault"; readonly fault: DiskTrouble; readonly after: number }
  | { readonly does: "restart"; readonly server: 0 | 1; readonly isKilled: boolean }
  | { readonly does: "restart the database" };

const server = fc.constantFrom(0, 1) as fc.Arbitrary<0 | 1>;
const client: fc.Arbitrary<Client> = fc.record({
  server,
  via: fc.constantFrom("port", "process"),
});
const asked: fc.Arbitrary<Asked> = fc.record({ client, step: business });

/** Each kind of step with how often it is taken. */
const arbitraries = {
  business: [40, { client, step: business }],
  together: [10, { asked: fc.array(asked, { minLength: 2, maxLength: 4 }) }],
  midnight: [2, { client, isAfter: fc.boolean() }],
  statement: [
    2,
    { client, lines: fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 4 }) },
  ],
  reconcile: [2, { client }],
  batch: [
    2,
    {
      client,
      amounts: fc.array(fc.integer({ min: 1, max: 9999 }), { minLength: 1, maxLength: 6 }),
    },
  ],
  "dry run": [2, { client, cents: fc.nat(9999) }],
  attach: [
    3,
    { client, which: fc.nat(99), bytes: fc.constantFrom(0, 1, 700, 70_000), removes: fc.boolean() },
  ],
  plan: [4, { client, other: client, cents: fc.nat(9999), isOvertaken: fc.boolean() }],
  undo: [5, { client, which: fc.nat(5), isDoneAgain: fc.boolean() }],
  lock: [2, { client, days: fc.nat(40), asked: fc.array(asked, { maxLength: 3 }) }],
  asset: [
    4,
    { client, deed: fc.constantFrom(...assetDeeds), which: fc.nat(99), cents: fc.nat(99_999) },
  ],
  schedule: [3, { client, other: client, cents: fc.nat(9999), isNew: fc.boolean() }],
  repeat: [6, { client, which: fc.nat(20) }],
  command: [4, { command: fc.constantFrom(...commands), which: fc.nat(99) }],
  deliver: [8, { server, fate: fc.constantFrom(...fates) }],
  wait: [4, { minutes: fc.constantFrom(1, 1, 3, 10, 60, 1440, 10_080) }],
  clock: [2, { to: fc.constantFrom(...clockMoves), client }],
  "network fault": [10, { server, fault: fc.constantFrom(...networkFaults) }],
  "disk fault": [8, { fault: fc.constantFrom(...diskFaults), after: fc.nat(99) }],
  "store fault": [6, { server, fault: fc.constantFrom(...storeFaults), after: fc.nat(40) }],
  restart: [3, { server, isKilled: fc.boolean() }],
  "restart the database": [1, {}],
} satisfies Record<Step["does"], readonly [weight: number, record: object]>;

const step = fc.oneof(
  ...Object.entries(arbitraries).map(([does, [weight, record]]) => ({
    weight,
    arbitrary: fc.record({ does: fc.constant(does), ...record }) as fc.Arbitrary<Step>,
  })),
);

/** The first `count` steps of a seed: fewer of the same seed are the beginning of more. */
export function stepsOf(seed: number, count: number): Step[] {
  return fc.sample(step, { seed, numRuns: count });
}

/** A step in a line. */
export function describeStep(each: Step): string {
  const { does, ...rest } = each;
  return `${does} ${JSON.stringify(rest)}`;
}
