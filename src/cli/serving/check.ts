/** `acct serve --check`: opens what the settings name, and starts nothing. */
import { readLimits, tryPlace } from "../../admin/serve-book.ts";
import { tryMailServer } from "../../platform/mail.ts";
import { type Detail, UsageError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";
import { reloadableSettings } from "./reload.ts";
import type { ServerSettings } from "./resolve-settings.ts";

/**
 * Tries what is served, the mail server, and the limits.
 *
 * @throws UsageError `BadConfig` with every fault, each with the place that says the setting
 */
export async function checkSettings(ctx: Context, serverSettings: ServerSettings): Promise<void> {
  const { options, env, said } = serverSettings;
  const bookTarget = serverSettings.target ?? ctx.target();
  if (bookTarget.kind === "remote") {
    throw new UsageError(
      "BadFlags",
      `acct serve is about books, and ${bookTarget.baseUrl} is a service.`,
    );
  }
  const { rateLimit } = options;
  const { ACCT_SMTP_URL: smtp } = env;
  const tries: readonly (readonly [readonly string[], () => Promise<string | undefined>])[] = [
    [["book", "data", "database"], () => tryPlace(bookTarget.path)],
    [["rateLimit"], async () => rateLimit && void (await readLimits(rateLimit))],
    [["smtp"], async () => smtp && tryMailServer(smtp).then(() => "The mail server answers.")],
    [
      ["tlsCert", "tlsKey", "redirectPort"],
      async () => void (await reloadableSettings(ctx, serverSettings, ctx.out.say)),
    ],
  ];
  const faults: Detail[] = [];
  for (const [keys, work] of tries) {
    try {
      const sentence = await work();
      if (sentence) ctx.out.say(sentence);
    } catch (error) {
      const { setting, from } = said.find((each) => keys.includes(each.setting.key)) ?? {};
      const sourcePart = setting === undefined ? "" : `${from}: ${setting.key}: `;
      faults.push({ message: `${sourcePart}${(error as Error).message}` });
    }
  }
  const [first, ...others] = faults;
  if (first === undefined) return ctx.out.say("All settings are as they should be.");
  if (others.length === 0) throw new UsageError("BadConfig", first.message);
  throw new UsageError("BadConfig", `${faults.length} settings do not do.`, faults);
}
