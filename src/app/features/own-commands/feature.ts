import type { Tone } from "../../../ui/text/line.ts";
import type { Feature } from "../../world/page/page.ts";
import { openOverlay } from "../../world/state/overlays.ts";
import { type State, say } from "../../world/state/state.ts";
import { type Output, OWN_COMMANDS } from "./own-command.ts";

export const OWN_COMMANDS_FEATURE: Feature<OwnCommandsAction> = {
	on: { "own-command-ended": showEnd },
};

/** Results of its effects. */
type OwnCommandsAction =
	/** A command has ended: a message, and the text for a page. Neither: there is nothing to show. */
	{
		readonly type: "own-command-ended";
		readonly name: string;
		readonly message?: { readonly text: string; readonly tone: Tone };
		readonly page?: string;
	};

/** Effects that it requests. */
export type OwnCommandsEffect =
	/** Run a script of the shell with arguments, in a directory if that exists. */
	| {
			readonly type: "run-own-command";
			readonly name: string;
			readonly script: string;
			readonly args: readonly string[];
			readonly cwd: string;
			readonly output: Output;
	  }
	/** End the command that runs. */
	| { readonly type: "stop-own-command" };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly "own-commands": OwnCommandsAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly "own-commands": OwnCommandsEffect;
	}
}

function showEnd(state: State, { name, message, page }: OwnCommandsAction): State {
	const ended = OWN_COMMANDS.with(state, { running: undefined });
	const said = message === undefined ? ended : say(ended, message.text, message.tone);
	if (page === undefined) return said;
	// What the person has opened meanwhile is not covered.
	if (state.overlays.length > 0) return say(said, `“${name}” has ended; run it again to see what it prints`, "muted");
	return openOverlay(said, { kind: "help", page: "output", top: 0, output: { title: name, text: page } });
}
