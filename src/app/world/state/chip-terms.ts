/** Conditions that narrow the list beside the typed query: terms of the query language, shown as chips before its text. */
export const CHIP_TERMS = ["is:running", "is:waiting", "on:today", "is:named"] as const;
export type ChipTerm = (typeof CHIP_TERMS)[number];

/** What a chip says of its condition. */
export const TERM_LABELS: Readonly<Record<ChipTerm, string>> = {
	"is:running": "running",
	"is:waiting": "waiting",
	"on:today": "today",
	"is:named": "named",
};

/** The commands that narrow the list to these, or end that. */
export const TERM_COMMANDS: Readonly<Record<ChipTerm, string>> = {
	"is:running": "only-running",
	"is:waiting": "only-waiting",
	"on:today": "only-today",
	"is:named": "named",
};
