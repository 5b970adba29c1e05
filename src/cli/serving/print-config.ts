/** `acct serve --print-config`: each setting, its value, and where it is from. */
import type { Context } from "../context/context.ts";
import { rivalsOf, type ServerSettings } from "./resolve-settings.ts";
import { settings } from "./server-settings.ts";

/** Prints every setting that is said or has a usual value; of a secret only where it is from. */
export async function printConfig(ctx: Context, { said }: ServerSettings): Promise<void> {
  const rows = settings.flatMap((setting) => {
    const { key, isSecret, usual } = setting;
    const saidSetting = said.find((each) => rivalsOf(key).includes(each.setting.key));
    const { text = usual, from = "usual value" } = saidSetting ?? {};
    if (text === undefined || (saidSetting?.setting ?? setting) !== setting) return [];
    return { key, ...(isSecret ? {} : { value: text }), from };
  });
  const lines = rows.map(({ key, value, from }) => {
    return value === undefined ? `${key}: (from ${from})` : `${key}: ${value}  # ${from}`;
  });
  await ctx.out.value(rows, lines.join("\n"));
}
