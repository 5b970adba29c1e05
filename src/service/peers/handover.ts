/**
 * Small writes are done by the process that has their organisation.
 *
 * Writers of one organisation take turns. Those that meet in one process share a commit; those in
 * several wait for each other's. So whatever stands in front may send a request to any process: it
 * is handed on to where the other writers are. What only reads, has many records or a file is
 * answered where it comes in.
 */
import { readId } from "../../resources/scalar.ts";
import { isChunks } from "../../wire/body.ts";
import type { ServiceRequest, ServiceResponse } from "../../wire/http.ts";
import type { Service } from "../app.ts";
import type { Callers } from "../auth/callers.ts";
import { Correspondence, PeerLostError, type WholeRequest } from "./ask.ts";
import type { Peer, Peers } from "./peers.ts";

type Answering = Omit<Service, "close">;

/** Some ten records; more of them are worth a commit of their own. */
const bodyBytesMax = 64 * 1024;

/** A service before which those of other processes stand, each for the organisations that it has. */
export class Handover implements Answering {
  readonly #service: Answering;
  readonly #callers: Callers;
  readonly #peers: Peers;
  readonly #correspondence = new Correspondence();
  /** Requests handed on, by whether an answer came back. */
  readonly counts = { answered: 0, unanswered: 0 };

  constructor(service: Answering, callers: Callers, peers: Peers) {
    this.#service = service;
    this.#callers = callers;
    this.#peers = peers;
  }

  authenticate: Answering["authenticate"] = (request) => this.#service.authenticate(request);

  refuse: Answering["refuse"] = (request, error) => this.#service.refuse(request, error);

  /** @throws where the other process may have done a write and cannot be asked again */
  handle: Answering["handle"] = async (request) => {
    if (!isSmallWrite(request)) return this.#service.handle(request);
    const owner = await this.#ownerFor(request);
    if (owner === undefined) return this.#service.handle(request);
    return this.#handOn(owner, request);
  };

  /** Undefined where it is this one, and where the request is to be refused. */
  async #ownerFor(request: ServiceRequest): Promise<Peer | undefined> {
    if (this.#peers.alive.length === 0) return undefined;
    // Who asks is recognised by the owner, which need not be done twice. Others than the callers of
    // an organisation are refused there as they would be here.
    const said = readId(request.headers["xero-tenant-id"]?.trim() ?? "");
    if (said !== undefined) return this.#peers.ownerOf(said);
    try {
      return this.#peers.ownerOf((await this.#callers.caller(request)).tenant);
    } catch {
      return undefined;
    }
  }

  async #handOn(owner: Peer, request: WholeRequest): Promise<ServiceResponse> {
    try {
      const answer = await this.#correspondence.ask(owner, request);
      this.counts.answered += 1;
      return answer;
    } catch (error) {
      this.counts.unanswered += 1;
      this.#peers.avoid(owner);
      const isDoubtful = error instanceof PeerLostError && error.isDoubtful;
      if (isDoubtful && !isRepeatable(request)) throw error;
      return this.#service.handle(request);
    }
  }

  close(): void {
    this.#correspondence.close();
  }
}

function isSmallWrite(request: ServiceRequest): request is WholeRequest {
  const { method, body } = request;
  if (method !== "PUT" && method !== "POST") return false;
  return body !== undefined && !isChunks(body) && body.length <= bodyBytesMax;
}

/** Who does it again is given the first answer. */
function isRepeatable({ headers }: ServiceRequest): boolean {
  return (headers["idempotency-key"] ?? "") !== "";
}
