import { defineSlice } from "../../world/state/state.ts";

interface OwnCommandsState {
	/** The name of the command that runs; undefined if none does. */
	readonly running: string | undefined;
}

export const OWN_COMMANDS = defineSlice<OwnCommandsState>("own-commands", { running: undefined });
