import type { Duplex } from "node:stream";
import type { Choice, HostAnswer, HostRequest } from "../src/app/world/state/choice.ts";
import { readChoice } from "./read-choice.ts";

/** What the browser asks pi to do to the session that is open, without the number of the request. */
export type OpenRequest =
	| { readonly action: "rename"; readonly name: string }
	| { readonly action: "label"; readonly entryId: string; readonly label: string | null };

/** The browser as pi sees it: lines of JSON both ways. */
export interface Link {
	/** What was chosen, as soon as the browser has said it. */
	readonly choice: Choice | undefined;
	/** Says what is otherwise now. */
	readonly tell: (now: HostAnswer) => void;
}

/** More than the largest text that is put into an editor; a longer line is not from a browser. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Answers the requests of a browser at the other end of `pipe`, one after the other; `answer` returns why one cannot be done. */
export function link(pipe: Duplex, answer: (request: OpenRequest) => string | undefined): Link {
	let choice: Choice | undefined;
	let pending = "";
	const tell = (said: HostAnswer): void => {
		if (!pipe.destroyed && pipe.writable) pipe.write(`${JSON.stringify(said)}\n`);
	};
	const handle = (line: string): void => {
		const said = parse(line);
		if (said === undefined) return;
		if ("choice" in said) choice = readChoice(said.choice);
		else if (typeof said.request === "number") {
			const error = isOpenRequest(said) ? answer(said) : "this pi-grove in pi does not know what was asked";
			tell({ answer: said.request, ...(error !== undefined && { error }) });
		}
	};
	pipe.setEncoding("utf8").on("data", (more: string) => {
		const lines = (pending + more).split("\n");
		pending = lines.pop() ?? "";
		for (const line of lines) handle(line);
		if (pending.length > LONGEST_LINE) pipe.destroy();
	});
	// The browser is gone: its end is told by the process.
	pipe.on("error", () => undefined);
	return {
		get choice() {
			return choice;
		},
		tell,
	};
}

/** The object of a line; undefined where it is none. */
function parse(line: string): Partial<Extract<HostRequest, { request: number }>> | { choice: unknown } | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === "object" && value !== null ? value : undefined;
	} catch {
		return undefined;
	}
}

function isOpenRequest(said: object): said is OpenRequest {
	const { action, name, entryId, label } = said as Readonly<Record<string, unknown>>;
	if (action === "rename") return typeof name === "string";
	return action === "label" && typeof entryId === "string" && (label === null || typeof label === "string");
}
