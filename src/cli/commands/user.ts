/** `acct user`: the people who work on the books. */
import { user } from "../../resources/user.ts";
import { group } from "../command.ts";
import { listCommand } from "../list.ts";
import { showCommand } from "../verbs.ts";

export const userNoun = group(
  "user",
  user.summary,
  [
    listCommand({ resource: user, examples: ["acct user list"] }),
    showCommand(user, { example: "acct user show ana@heron.example" }),
  ],
  { aliases: ["users"] },
);
