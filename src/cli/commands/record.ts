/** `acct record`: writes down what a program and a service say to each other. */
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { readPort } from "../values/port.ts";

const usualPort = 9330;

export const recordCommand = command("record", "what a program and a service say to each other")
  .answers("nothing")
  .argument("FILE", "a new file, for its owner alone", { live: "file" })
  .flag("port", `on which port of this machine the program finds it; ${usualPort} when not given`, {
    placeholder: "N",
    read: readPort("port"),
  })
  .note(
    "A proxy to the service of --profile or --base-url: the program's requests below /api.xro/2.0 are " +
      "passed on, with the credentials of the profile where they have none. Each is a line of JSON: " +
      "method, path, query, a few headers, body and answer. Credentials and the organisation's id are " +
      "not written, but what the books say is: keep the file as you keep those.",
  )
  .note("acct compare plays the file against another service. Ctrl-C ends the recording.")
  .example("acct record shop.cassette --profile live")
  .action(recordUntilEnd);

async function recordUntilEnd(
  ctx: Context,
  file: string,
  { port = usualPort }: { readonly port?: number | undefined },
): Promise<void> {
  const { record } = await import("../cassette/recording-proxy.ts");
  const recording = await record(ctx, file, port);
  ctx.out.say(`Point the program at ${recording.url}. Ctrl-C ends it.`);
  await new Promise((resolve) => ctx.interrupted.addEventListener("abort", resolve));
  await recording.close();
  ctx.out.say(`${recording.count()} exchanges are in ${file}.`);
}
