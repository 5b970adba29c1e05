/** The shells that there are completions for. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/** Files of `completions/`; zsh finds its own by this name. */
export const scriptNames = {
  bash: "acct.bash",
  zsh: "_acct",
  fish: "acct.fish",
  powershell: "acct.ps1",
} as const satisfies Record<Shell, string>;
