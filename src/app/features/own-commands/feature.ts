import type { CatalogProblem } from "../../../catalog/model/event.ts";
import type { Tone } from "../../../ui/text/line.ts";
import type { Feature } from "../../world/page/page.ts";
import type { Binding } from "../../world/state/binding.ts";
import { openHelp } from "../../world/state/overlays.ts";
import { defineSlice, problemLines, type State, say } from "../../world/state/state.ts";
import type { Template } from "./template.ts";

/** What a command acts on: the session or the entry under the cursor, all marked sessions, or nothing. */
export const SUBJECTS = ["session", "entry", "marked", "nothing"] as const;
export type CommandSubject = (typeof SUBJECTS)[number];

/** Where its output goes. "terminal": it has the terminal until it ends. */
export const OUTPUTS = ["message", "page", "terminal", "clipboard", "nothing"] as const;
type Output = (typeof OUTPUTS)[number];

export interface OwnCommand {
	/** Its name among the commands, which is unique. */
	readonly name: string;
	/** Other words that find the command there. */
	readonly synonyms: string;
	readonly written: string;
	readonly template: Template;
	readonly on: CommandSubject;
	readonly output: Output;
	/** As it is written in the file, and on which line, from 1. */
	readonly key?: { readonly written: string; readonly line: number };
}

interface OwnCommandsState {
	/** The name of the command that runs; undefined if none does. */
	readonly running: string | undefined;
}

export const OWN_COMMANDS = defineSlice<OwnCommandsState>("own-commands", { running: undefined });

export const OWN_COMMANDS_FEATURE: Feature<OwnCommandsAction> = {
	on: { "own-command-ended": showEnd, "own-commands-read": takeRead },
};

type OwnCommandsAction =
	/** The file was saved: the keymap with the commands that it has now, and the problems of all files of the person. */
	| {
			readonly type: "own-commands-read";
			readonly keymap: readonly Binding[];
			readonly problems: readonly CatalogProblem[];
	  }
	/** A command has ended: a message, and the text for a page. Neither: there is nothing to show. */
	| {
			readonly type: "own-command-ended";
			readonly name: string;
			readonly message?: { readonly text: string; readonly tone: Tone };
			readonly page?: string;
	  };

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

function takeRead(
	state: State,
	{ keymap, problems }: Extract<OwnCommandsAction, { type: "own-commands-read" }>,
): State {
	const { environment } = state;
	const read: State = { ...state, environment: { ...environment, keymap, problems } };
	const knownMessages = new Set(environment.problems.map(({ message }) => message));
	const fresh = problems.flatMap(({ message }) => (knownMessages.has(message) ? [] : [message]));
	if (fresh.length > 0) return say(read, problemLines(fresh), "warning");
	return say(read, "Your own commands were read again", "muted");
}

function showEnd(
	state: State,
	{ name, message, page }: Extract<OwnCommandsAction, { type: "own-command-ended" }>,
): State {
	const ended = OWN_COMMANDS.with(state, { running: undefined });
	const messageState = message === undefined ? ended : say(ended, message.text, message.tone);
	if (page === undefined) return messageState;
	// An overlay that the person has opened meanwhile stays on top.
	if (state.overlays.length > 0)
		return say(messageState, `“${name}” has ended; run it again to see what it prints`, "muted");
	return openHelp(messageState, "output", { title: name, text: page });
}
