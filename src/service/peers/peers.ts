/**
 * The processes that serve one database, and which of them has an organisation.
 *
 * Each says in the database, every second, that it is there, and reads which others do. Of those an
 * organisation has one, on which all agree who know of the same, without asking each other
 * (rendezvous hashing: where one comes or goes, only its own organisations change hands). That
 * decides where a write is done fastest, and never whether it is right: whoever does it takes the
 * lock of the organisation, so it does no harm when two do not agree for a moment.
 */
import { availableParallelism } from "node:os";
import { beat, forgetPeers, type Peer } from "../../store/directory/peers.ts";
import type { Directory } from "../../store/directory.ts";
import { every } from "../every.ts";
import { kindredOf } from "./address.ts";

export type { Peer };

export interface PeersOptions {
  readonly directory: Directory;
  /** This process. */
  readonly self: Peer;
  /**
   * Among how many processes the organisations are shared out; when not given, half as many as can
   * run at a time.
   */
  readonly ownersMax?: number;
  /** How often it says that it is there; every second when not given. */
  readonly beatMs?: number;
}

const usualBeatMs = 1_000;
/** A process that has not been heard of for so many beats is not there. */
const silentBeats = 5;
/** Its row is removed after so many, by whoever notices. */
const goneBeats = 60;
/** Nothing is sent for so many beats to one that could not be reached. */
const avoidedBeats = 30;
/** Organisations whose process is remembered. */
const rememberedMax = 10_000;

/** Another process as far as it was heard of. */
interface Known {
  readonly peer: Peer;
  beats: number;
  /** When its beats were last seen to go up, or it was found; of this machine's steady clock. */
  heardAt: number;
  /** Whether they ever were: the rows of a copied database are of processes that serve another. */
  isBeating: boolean;
  avoidedUntil: number;
}

export class Peers {
  readonly #directory: Directory;
  readonly #self: Peer;
  readonly #ownersMax: number;
  readonly #beatMs: number;
  readonly #known = new Map<string, Known>();
  readonly #beating: { stop(): Promise<void> };
  /** Told of one that should be there and has not been heard of. */
  onSilent: (peer: Peer) => void = () => undefined;
  #alive: readonly Peer[] = [];
  #left: Promise<void> | undefined;
  /** By organisation. */
  readonly #owners = new Map<string, Peer>();

  constructor({
    directory,
    self,
    ownersMax = Math.max(1, Math.floor(availableParallelism() / 2)),
    beatMs = usualBeatMs,
  }: PeersOptions) {
    this.#directory = directory;
    this.#self = self;
    this.#ownersMax = ownersMax;
    this.#beatMs = beatMs;
    this.#beating = every(beatMs, () => this.#beat());
  }

  /** The others that are there. */
  get alive(): readonly Peer[] {
    return this.#alive;
  }

  /**
   * The process that has an organisation; undefined where it is this one.
   *
   * @param organisation  what stands for it, the same each time
   */
  ownerOf(organisation: string): Peer | undefined {
    if (this.#alive.length === 0) return undefined;
    let owner = this.#owners.get(organisation);
    if (owner === undefined) {
      // More of them would take turns at the processors with the database and with those who hand
      // over, and with smaller commits.
      const all = [this.#self, ...this.#alive].sort((a, b) => (a.id < b.id ? -1 : 1));
      owner = highest(organisation, all.slice(0, this.#ownersMax));
      if (this.#owners.size >= rememberedMax) this.#owners.clear();
      this.#owners.set(organisation, owner);
    }
    return owner === this.#self ? undefined : owner;
  }

  /** Has a process own nothing for a while, since it cannot be reached. */
  avoid({ id }: Peer): void {
    const known = this.#known.get(id);
    if (known === undefined) return;
    known.avoidedUntil = performance.now() + avoidedBeats * this.#beatMs;
    this.#reconsider();
  }

  /** Says that this process owns nothing any more. @returns when the others know */
  leave(): Promise<void> {
    this.#left ??= this.#leave();
    return this.#left;
  }

  async #leave(): Promise<void> {
    await this.#beating.stop();
    // Where the database is gone, so are the others, or they will notice the silence.
    await this.#forget([this.#self.id]).catch(() => undefined);
    if (this.#alive.length === 0) return;
    // By then each has read the table again.
    await new Promise((resolve) => setTimeout(resolve, this.#beatMs * 1.5));
  }

  async #beat(): Promise<void> {
    // While the database is away nobody is heard of.
    const others = await this.#directory.write((tx) => beat(tx, this.#self)).catch(() => []);
    const now = performance.now();
    for (const { beats, ...peer } of others) {
      if (kindredOf(peer.address) !== kindredOf(this.#self.address)) continue;
      const known = this.#known.get(peer.id);
      if (known === undefined) {
        const isBeating = false;
        this.#known.set(peer.id, { peer, beats, heardAt: now, isBeating, avoidedUntil: 0 });
      } else if (beats !== known.beats) {
        Object.assign(known, { beats, heardAt: now, isBeating: true });
      }
    }
    const found = new Set(others.map(({ id }) => id));
    for (const id of this.#known.keys()) if (!found.has(id)) this.#known.delete(id);
    this.#reconsider();
    for (const { peer, heardAt } of this.#known.values()) {
      if (!this.#isWithin(heardAt, silentBeats)) this.onSilent(peer);
    }
    const gone = [...this.#known.values()].filter(
      ({ heardAt }) => !this.#isWithin(heardAt, goneBeats),
    );
    await this.#forget(gone.map(({ peer }) => peer.id)).catch(() => undefined);
  }

  #isWithin(heardAt: number, beats: number): boolean {
    return performance.now() - heardAt < beats * this.#beatMs;
  }

  #reconsider(): void {
    const now = performance.now();
    const alive = [...this.#known.values()].filter(
      ({ isBeating, heardAt, avoidedUntil }) =>
        isBeating && avoidedUntil <= now && this.#isWithin(heardAt, silentBeats),
    );
    const isSame =
      alive.length === this.#alive.length && alive.every(({ peer }) => this.#alive.includes(peer));
    if (isSame) return;
    this.#alive = alive.map(({ peer }) => peer);
    this.#owners.clear();
  }

  async #forget(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#directory.write((tx) => forgetPeers(tx, ids));
  }
}

function highest(organisation: string, among: readonly Peer[]): Peer {
  const scored = among.map((peer) => ({ peer, score: scoreOf(organisation, peer) }));
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).peer;
}

function scoreOf(organisation: string, { id }: Peer): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(`${organisation} ${id}`).digest("hex");
}
