/** MCP over HTTP: `/mcp` of a server, with the tokens of its own sign-in. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import type { Transport } from "../wire/http.ts";
import { agentIn, mcpServer } from "./mcp-server.ts";
import type { Program } from "./program.ts";

const path = "/mcp";
const metadataPath = "/.well-known/oauth-protected-resource";
/** Number of tokens whose agents are remembered. */
const agentsMax = 1_000;
const tenantHeader = "xero-tenant-id";

/** What a server gives to the answers at `/mcp`. */
export interface AgentHost {
  /** Public origin of the server. */
  readonly origin: () => string;
  /** The service as its port has it, which signs callers in by their tokens. */
  readonly transport: Transport;
}

/** Makes the command line of a caller. @param tenant  the organisation, where the token has several */
type ProgramFor = (token: string, tenant: string | undefined) => Program;

/** Returns what answers `/mcp`, and says where its tokens come from; undefined for other paths. */
export function agentAnswers({ origin, transport: handle }: AgentHost, programFor: ProgramFor) {
  /** What clients called themselves, by token: some say it once, and each request has a server of its own. */
  const agents = new Map<string, string>();
  const handler = createMcpHandler(async ({ requestInfo }) => {
    const { token = "", tenant } = callerOf(requestInfo);
    const program = programFor(token, tenant);
    const run: Program["run"] = (words, agent) => program.run(words, agent ?? agents.get(token));
    const server = await mcpServer({ ...program, run });
    server.server.onclose = () => {
      const agent = agentIn(server);
      if (agents.size >= agentsMax) agents.clear();
      if (agent !== undefined) agents.set(token, agent);
    };
    return server;
  });

  async function answered(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== path) return metadata(origin());
    const hosts = [new URL(origin()).hostname, "localhost", "127.0.0.1"];
    const refused =
      hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, hosts);
    if (refused !== undefined) return refused;
    if (await isSignedIn(handle, callerOf(request))) return handler.fetch(request);
    const challenge = `Bearer resource_metadata="${origin()}${metadataPath}${path}"`;
    return new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
  }

  return (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> | undefined => {
    const [asked = ""] = (incoming.url ?? "").split("?", 1);
    if (![path, metadataPath, `${metadataPath}${path}`].includes(asked)) return undefined;
    return answered(requestOf(incoming, origin())).then((response) => send(response, outgoing));
  };
}

/** Who issues tokens for `/mcp`. @source RFC 9728, 2 */
function metadata(origin: string): Response {
  return Response.json({
    resource: `${origin}${path}`,
    authorization_servers: [origin],
    bearer_methods_supported: ["header"],
  });
}

function callerOf(request: Request | undefined) {
  const token = /^Bearer (\S+)$/i.exec(request?.headers.get("authorization") ?? "")?.[1];
  return { token, tenant: request?.headers.get(tenantHeader) ?? undefined };
}

async function isSignedIn(
  handle: Transport,
  { token, tenant }: ReturnType<typeof callerOf>,
): Promise<boolean> {
  if (token === undefined) return false;
  const headers = {
    accept: "application/json",
    authorization: `Bearer ${token}`,
    ...(tenant === undefined ? {} : { [tenantHeader]: tenant }),
  };
  const { status } = await handle({ method: "GET", path: "/Organisation", query: [], headers });
  return status !== 401;
}

function requestOf(incoming: IncomingMessage, origin: string): Request {
  const { method = "GET", url = "", headers } = incoming;
  const named = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as [string, string]] : [],
  );
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" } : {};
  return new Request(new URL(url, origin), { method, headers: named, ...body } as RequestInit);
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => undefined);
}
