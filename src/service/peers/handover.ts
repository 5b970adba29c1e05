/**
 * Small writes are done by the process that has their organisation.
 *
 * Writers of one organisation take turns. Those that meet in one process share a commit; those in
 * several wait for each other's. So whatever stands in front may send a request to any process: it
 * is handed on to where the other writers are. What only reads, has many records or a file is
 * answered where it comes in; and so is what is written where nobody else writes (`origins.ts`).
 */
import { readId } from "../../resources/scalar.ts";
import { isChunks } from "../../wire/body.ts";
import type { ServiceRequest, ServiceResponse } from "../../wire/http.ts";
import type { Service } from "../app.ts";
import type { Callers } from "../auth/callers.ts";
import { Correspondence, PeerLostError, type WholeRequest } from "./ask.ts";
import type { Origins } from "./origins.ts";
import type { Peer, Peers } from "./peers.ts";

type Answering = Omit<Service, "close">;

/** Some ten records; more of them are worth a commit of their own. */
const bodyBytesMax = 64 * 1024;

/** Writes that are done here by who writes alone, until it asks again whether it does. */
const unaskedMax = 15;
/** Organisations of which it is remembered. */
const aloneMax = 10_000;

/** A service before which those of other processes stand, each for the organisations that it has. */
export class Handover implements Answering {
  readonly #service: Answering;
  readonly #callers: Callers;
  readonly #peers: Peers;
  readonly #origins: Origins;
  readonly #correspondence = new Correspondence();
  /** Of organisations to which only this process writes: how many more it may do without asking. */
  readonly #alone = new Map<string, number>();
  /** Requests handed on, by whether an answer came back. */
  readonly counts = { answered: 0, unanswered: 0 };

  constructor(
    { service, callers }: { readonly service: Answering; readonly callers: Callers },
    peers: Peers,
    origins: Origins,
  ) {
    this.#service = service;
    this.#callers = callers;
    this.#peers = peers;
    this.#origins = origins;
  }

  authenticate: Answering["authenticate"] = (request) => this.#service.authenticate(request);

  refuse: Answering["refuse"] = (request, error) => this.#service.refuse(request, error);

  /** @throws where the other process may have done a write and cannot be asked again */
  handle: Answering["handle"] = async (request) => {
    if (this.#peers.alive.length === 0 || !isSmallWrite(request)) {
      return this.#service.handle(request);
    }
    const tenant = await this.#tenantOf(request);
    if (tenant === undefined) return this.#service.handle(request);
    const owner = this.#peers.ownerOf(tenant);
    if (owner === undefined) {
      this.#origins.note(tenant, this);
      return this.#service.handle(request);
    }
    const unasked = this.#alone.get(tenant) ?? 0;
    if (unasked === 0) return this.#handOn(owner, tenant, request);
    this.#alone.set(tenant, unasked - 1);
    return this.#service.handle(request);
  };

  /** Undefined where the request is to be refused. */
  async #tenantOf(request: ServiceRequest): Promise<string | undefined> {
    // Who asks is recognised by the owner, which need not be done twice. Others than the callers of
    // an organisation are refused there as they would be here.
    const said = readId(request.headers["xero-tenant-id"]?.trim() ?? "");
    if (said !== undefined) return said;
    try {
      return (await this.#callers.caller(request)).tenant;
    } catch {
      return undefined;
    }
  }

  async #handOn(owner: Peer, tenant: string, request: WholeRequest): Promise<ServiceResponse> {
    try {
      const { answer, isAlone } = await this.#correspondence.ask(owner, request);
      this.counts.answered += 1;
      this.#alone.delete(tenant);
      if (isAlone && this.#alone.size < aloneMax) this.#alone.set(tenant, unaskedMax);
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
