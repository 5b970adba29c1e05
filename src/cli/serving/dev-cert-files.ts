/** Where `acct dev-cert` keeps its authority and the certificate of a server, and the hosts of both. */
import { join } from "node:path";
import { presets } from "../../client/session/presets.ts";
import { dataDir, type Env } from "../context/config.ts";

/** Hosts of the public cloud, and this machine. */
export const certifiedHosts: readonly string[] = [...(presets.cloud?.hosts ?? []), "localhost"];

/** Paths of the files. */
export function devCertFiles(env: Env) {
  const folder = join(dataDir(env), "dev-cert");
  const at = (name: string) => join(folder, name);
  return {
    folder,
    authority: { cert: at("authority.pem"), key: at("authority.key") },
    server: { cert: at("server.pem"), key: at("server.key") },
  } as const;
}
