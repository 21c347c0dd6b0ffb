import { defineSlice } from "../../world/state/state.ts";

/** What was run from the box of commands. */
interface CommandsState {
	/** Ids of the commands, the last one first. */
	readonly recent: readonly string[];
}

export const COMMANDS = defineSlice<CommandsState>("commands", { recent: [] });
