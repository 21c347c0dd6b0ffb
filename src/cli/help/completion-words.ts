import { COMMANDS, OPTION_NAMES, type OptionName, optionOf } from "../arguments/command-table.ts";
import type { Pair } from "./help-layout.ts";
import { HELP_NAMES, isTopic } from "./help-pages.ts";
import { TOPICS } from "./help-topics.ts";

/** Days that a shell proposes for an option that takes one. */
export const EXAMPLE_DATES: readonly Pair[] = [
	["today", "since midnight"],
	["yesterday", "the day before"],
	["monday", "the last one, today included; any day of the week"],
	["7d", "seven days ago; any number of days"],
	["2w", "two weeks ago"],
	["3mo", "three months ago"],
];

/** What `pi-grove help` takes, with what each is about. */
export const HELP_CANDIDATES: readonly Pair[] = HELP_NAMES.map((name) => [
	name,
	isTopic(name) ? TOPICS[name].about : COMMANDS[name].description,
]);

/** An option as it is typed: the long one, and the short one if there is one. */
export function optionFlags(name: OptionName): readonly string[] {
	const { short } = optionOf(name);
	return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

/** The options, as they are typed, that take a value. */
export function valueOptions(): readonly string[] {
	return OPTION_NAMES.filter((name) => optionOf(name).kind !== "flag").map((name) => `--${name}`);
}
