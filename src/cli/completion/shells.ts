/** Shells with completion scripts. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/** Script files in `completions/`; zsh requires this name. */
export const scriptNames = {
  bash: "acct.bash",
  zsh: "_acct",
  fish: "acct.fish",
  powershell: "acct.ps1",
} as const satisfies Record<Shell, string>;
