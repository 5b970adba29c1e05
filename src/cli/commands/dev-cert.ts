/** `acct dev-cert`: a certificate by which this machine answers for the hosts of the public cloud. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Certificate } from "../../platform/certificate.ts";
import { makeFolder } from "../../platform/folder.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { certifiedHosts, devCertFiles } from "../serving/dev-cert-files.ts";

export const devCertCommand = command(
  "dev-cert",
  "a certificate of your own, for acct serve --as-cloud",
)
  .answers("value")
  .switch("remove", "delete it, with the authority that issued it")
  .note(
    `An authority is made, good for ${certifiedHosts.join(", ")} and addresses of this machine alone, ` +
      "and a certificate of a year by it. Its keys lie where you alone can read them. Once more makes " +
      "another certificate by the same authority.",
  )
  .note(
    "Nothing of the system is changed: the line for the file of hosts is printed, and what has each " +
      "runtime trust the authority. Take both back when you are done: while they stand, programs of " +
      "this machine reach acct in place of the cloud.",
  )
  .example("acct dev-cert")
  .example("acct dev-cert --remove")
  .action((ctx, { remove }: DevCertFlags) => (remove === true ? removeAll(ctx) : make(ctx)));

interface DevCertFlags {
  readonly remove?: boolean | undefined;
}

async function make(ctx: Context): Promise<void> {
  const { folder, authority, server } = devCertFiles(ctx.env);
  if (ctx.flags.dryRun) return ctx.out.say(`Would make a certificate in ${folder}.`);
  const { issue, makeAuthority } = await import("../../platform/dev-certificate.ts");
  makeFolder(folder, 0o700);
  const now = ctx.clock();
  let by = keptCertificate(authority);
  if (by === undefined) {
    by = makeAuthority(certifiedHosts, now);
    keepCertificate(authority, by);
  }
  keepCertificate(server, issue(by, certifiedHosts, now));
  const cloud = certifiedHosts.filter((host) => host !== "localhost").join(" ");
  const trust = {
    Hosts: `127.0.0.1 ${cloud}`,
    Node: `export NODE_EXTRA_CA_CERTS='${authority.cert}'`,
    Python: `export SSL_CERT_FILE='${authority.cert}' REQUESTS_CA_BUNDLE='${authority.cert}'`,
    "Ruby, Go, .NET on Linux": `export SSL_CERT_FILE='${authority.cert}'`,
    PHP: `php -d 'curl.cainfo=${authority.cert}' -d 'openssl.cafile=${authority.cert}'`,
    Java: `keytool -importcert -noprompt -alias acct-dev -file '${authority.cert}' -keystore acct-dev.jks -storepass changeit; java -Djavax.net.ssl.trustStore=acct-dev.jks`,
  };
  const lines = Object.entries(trust).map(([name, line]) => `${name}: ${line}`);
  await ctx.out.value({ ...trust, Certificate: server.cert, Key: server.key }, lines.join("\n"));
  ctx.out.say("Hosts is for /etc/hosts. Then: acct serve --as-cloud");
}

/** Reads the authority; undefined where there is none yet. */
function keptCertificate(files: Certificate): Certificate | undefined {
  if (!existsSync(files.cert) || !existsSync(files.key)) return undefined;
  return { cert: readFileSync(files.cert, "utf8"), key: readFileSync(files.key, "utf8") };
}

function keepCertificate(files: Certificate, newCertificate: Certificate): void {
  for (const part of ["key", "cert"] as const) {
    // The mode of a file that is there would stay.
    rmSync(files[part], { force: true });
    writeFileSync(files[part], newCertificate[part], { mode: part === "key" ? 0o600 : 0o644 });
  }
}

async function removeAll(ctx: Context): Promise<void> {
  const { folder } = devCertFiles(ctx.env);
  const isThere = existsSync(folder);
  if (!ctx.flags.dryRun) rmSync(folder, { recursive: true, force: true });
  const removedText = ctx.flags.dryRun ? "Would remove" : "Removed";
  const sentence = isThere ? `${removedText} ${folder}.` : `There is no certificate at ${folder}.`;
  await ctx.out.value({ folder, removed: isThere && !ctx.flags.dryRun }, sentence);
}
