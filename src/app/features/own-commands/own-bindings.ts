import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { printJson } from "../../../shared/json.ts";
import { isTypable, parseKey } from "../../../ui/keys/key-name.ts";
import { quote } from "../../../ui/text/width.ts";
import { PANES, whyOnlyRead } from "../../world/keys/key.ts";
import { chosenRows } from "../../world/list/marked.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { type Binding, keyLabel, plainName } from "../../world/state/binding.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { OWN_COMMANDS, type OwnCommand } from "./feature.ts";
import { fillIn, type Values } from "./template.ts";

const OWN_SECTION = "Own commands";

/** Sees that a running command can be stopped: before all other meanings of the key. */
const STOP: Binding = {
	id: "stop-own-command",
	keys: ["escape"],
	contexts: PANES,
	section: OWN_SECTION,
	short: "stop",
	help: "stop the running command",
	condition: "while a command of your own runs",
	when: (state) => OWN_COMMANDS.of(state).running !== undefined,
	run(state) {
		const { running = "" } = OWN_COMMANDS.of(state);
		return transition(say(state, `Stopping ${quote(running)} …`, "muted"), { type: "stop-own-command" });
	},
};

/**
 * The keymap with the person's commands, and mistakes in their keys, in sentences that begin with the line. A key that
 * anything else has, anywhere, is not given away.
 */
export function withOwnCommands(
	keymap: readonly Binding[],
	commands: readonly OwnCommand[],
): { readonly keymap: readonly Binding[]; readonly problems: readonly string[] } {
	if (commands.length === 0) return { keymap, problems: [] };
	const problems: string[] = [];
	const ownBindings: Binding[] = [];
	for (const command of commands) {
		const key = keyOf(command, [...keymap, ...ownBindings]);
		if (typeof key === "object") problems.push(`Line ${key.line}: ${key.problem}`);
		ownBindings.push(bindingOf(command, typeof key === "string" ? [key] : []));
	}
	return { keymap: [STOP, ...keymap, ...ownBindings], problems };
}

function keyOf(
	{ key, name }: OwnCommand,
	bindings: readonly Binding[],
): string | undefined | { readonly line: number; readonly problem: string } {
	if (key === undefined) return undefined;
	const { written, line } = key;
	const without = `, so ${quote(name)} has no key. Choose another.`;
	const parsed = parseKey(written);
	if (parsed === undefined)
		return { line, problem: `${printJson(written, { limit: 40 })} is not a key, such as ctrl+alt+g${without}` };
	if (isTypable(parsed)) return { line, problem: `${keyLabel(parsed)} is text where letters are typed${without}` };
	const holders = bindings.filter(({ keys }) => keys.includes(parsed));
	const holder = holders.find((other) => other.name !== undefined) ?? holders[0];
	if (holder !== undefined)
		return {
			line,
			problem: `${keyLabel(parsed)} is taken by ${quote(plainName(holder.name ?? holder.help))}${without}`,
		};
	return parsed;
}

function bindingOf(command: OwnCommand, keys: readonly string[]): Binding {
	const { name, synonyms, written, on } = command;
	return {
		id: `own:${name}`,
		name,
		synonyms: `${synonyms}, own`,
		keys,
		contexts: on === "entry" ? ["tree", "reader", "branches"] : PANES,
		section: OWN_SECTION,
		help: written,
		...(on === "nothing" ? {} : { acts: on === "marked" ? "chosen" : on }),
		needs: (state) => whyNot(state, command),
		run: (state) => run(state, command),
	};
}

function whyNot(state: State, { on }: OwnCommand): string | undefined {
	if (state.environment.picks === true) return "The shell is waiting for your choice: choose, or leave first";
	const { running } = OWN_COMMANDS.of(state);
	if (running !== undefined) return `${quote(running)} is still running: esc stops it`;
	if (on === "nothing") return undefined;
	if (on === "entry" && entryUnderCursor(state) === undefined) return "There is no entry to run it on";
	const rows = rowsFor(state, on);
	if (rows.length === 0) return "There is no session to run it on";
	// Neither its file nor its directory are on this machine, and nothing that a place says is where a command runs.
	const other = rows.find(({ place }) => place !== undefined);
	return other && whyOnlyRead(other);
}

function rowsFor(state: State, on: OwnCommand["on"]): readonly SessionRow[] {
	if (on === "nothing") return [];
	if (on === "marked") return chosenRows(state);
	const row = selectedRow(state);
	return row === undefined ? [] : [row];
}

function run(state: State, { name, template, on, output }: OwnCommand): Transition {
	const rows = rowsFor(state, on);
	const entry = on === "entry" ? entryUnderCursor(state) : undefined;
	const values = rows.map((each): Values => ({ ...valuesOf(each), ...(entry && { entry: entry.id }) }));
	const { script, args } = fillIn(template, values);
	// Several sessions have no common directory.
	const cwd = rows.length === 1 ? (rows[0]?.cwd ?? "") : "";
	const running = OWN_COMMANDS.with(state, { running: name });
	const startState = output === "terminal" ? running : say(running, `Running ${quote(name)}; esc stops it`, "muted");
	return transition(startState, { type: "run-own-command", name, script, args, cwd, output });
}

function valuesOf(row: SessionRow): Values {
	return { path: row.path, id: row.id, cwd: row.cwd, title: sessionTitle(row) };
}
