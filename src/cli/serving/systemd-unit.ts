/** `acct serve --print systemd`: the unit of a server. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UsageError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";
import { systemdWord } from "../values/interval.ts";
import { type ServerSettings, settleSettings } from "./resolve-settings.ts";
import { type ServeFlags, settings } from "./server-settings.ts";

/** Folder of the unit's own, which it may write to. */
const stateFolder = "/var/lib/acct";
/** The highest port that only root may open. */
const privilegedMax = 1023;

/** Prints the unit, which runs the same command line. @throws UsageError */
export async function printUnit(ctx: Context, flags: ServeFlags): Promise<void> {
  if (ctx.flags.database !== undefined) {
    const message =
      "--database would stand in the unit for everybody to read: leave it out, and put the address into /etc/credstore/acct.database.";
    throw new UsageError("BadFlags", message);
  }
  const { config } = flags;
  const isThere = config !== undefined && existsSync(config);
  const serverSettings = settleSettings(ctx, { ...flags, config: isThere ? config : undefined });
  const text = unitOf(serverSettings, config === undefined ? [] : ["--config", resolve(config)]);
  await ctx.out.value({ scheduler: "systemd", text }, text);
}

/** @param words  of the command line, besides those of the settings */
function unitOf({ said, options, target }: ServerSettings, words: readonly string[]): string {
  const givenFlags = said
    .filter(({ from, setting }) => from.startsWith("--") && !setting.isCredential)
    .map(({ setting: { name, placeholder, live }, text }) => {
      const value = live === "file" ? resolve(text) : text;
      return [`--${name}`, ...(placeholder === undefined ? [] : [value])];
    });
  const textOf = (wantedKey: string) => said.find(({ setting }) => setting.key === wantedKey)?.text;
  const book = textOf("book");
  const bookFolder = book === undefined ? textOf("data") : dirname(book);
  const isNamed = bookFolder !== undefined || words.length > 0 || target !== undefined;
  const line = [...words, ...givenFlags.flat(), ...(isNamed ? [] : ["--data", stateFolder])];
  const credentials = settings
    .filter(({ isSecret, isCredential }) => isSecret || isCredential)
    .map(({ name, key }) => {
      const { from = "", text = "" } = said.find(({ setting }) => setting.key === key) ?? {};
      const file = [text, from].find((text) => text.startsWith("/")) ?? `acct.${name}`;
      return `LoadCredential=${name}:${file}`;
    });
  const isPrivileged = [options.port, options.redirectPort].some(
    (port) => port !== undefined && port > 0 && port <= privilegedMax,
  );
  const binding = isPrivileged ? "CAP_NET_BIND_SERVICE" : "";
  const writableFolders =
    bookFolder === undefined || isBelow(resolve(bookFolder))
      ? []
      : [`ReadWritePaths=${systemdWord(resolve(bookFolder))}`];
  return `${[
    "# /etc/systemd/system/acct.service; then: systemctl daemon-reload && systemctl enable --now acct",
    "[Unit]",
    "Description=acct, the accounting service",
    "After=network-online.target",
    "Wants=network-online.target",
    "",
    "[Service]",
    "Type=notify",
    "NotifyAccess=all",
    `ExecStart=/usr/bin/env acct serve ${line.map(systemdWord).join(" ")}`,
    "ExecReload=/bin/kill -HUP $MAINPID",
    "Restart=on-failure",
    "TimeoutStopSec=30",
    ...credentials,
    ...writableFolders,
    `CapabilityBoundingSet=${binding}`,
    `AmbientCapabilities=${binding}`,
    `PrivateUsers=${isPrivileged ? "no" : "yes"}`,
    ...hardening,
    "",
    "[Install]",
    "WantedBy=multi-user.target",
  ].join("\n")}`;
}

const isBelow = (path: string) => `${path}/`.startsWith(`${stateFolder}/`);

/** A user of its own that exists while the service runs, and its folders. */
const hardening = [
  "DynamicUser=yes",
  "StateDirectory=acct",
  "CacheDirectory=acct",
  "Environment=XDG_DATA_HOME=/var/lib/acct XDG_CONFIG_HOME=/var/lib/acct XDG_STATE_HOME=/var/lib/acct XDG_CACHE_HOME=/var/cache/acct",
  "UMask=0077",
  "NoNewPrivileges=yes",
  "LockPersonality=yes",
  "PrivateDevices=yes",
  "ProcSubset=pid",
  "ProtectClock=yes",
  "ProtectControlGroups=yes",
  "ProtectHome=yes",
  "ProtectHostname=yes",
  "ProtectKernelLogs=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelTunables=yes",
  "ProtectProc=invisible",
  "ProtectSystem=strict",
  "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "RemoveIPC=yes",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service",
  "SystemCallErrorNumber=EPERM",
];
