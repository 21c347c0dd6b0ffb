import type { Duplex } from "node:stream";
import type { FinalChoice, HostAnswer, HostRequest } from "../src/app/world/state/choice.ts";

/** A change of the open session that the browser asks pi to make, without the number of the request. */
export type OpenRequest =
	| { readonly action: "rename"; readonly name: string }
	| { readonly action: "label"; readonly entryId: string; readonly label: string | null };

/** pi's side of the connection to the browser: lines of JSON in both directions. */
interface Link {
	/** The person's choice, once the browser has sent it. */
	readonly choice: FinalChoice | undefined;
	/** Sends a change of pi's state to the browser. */
	readonly send: (now: HostAnswer) => void;
}

/** Longer lines are not from a browser: this is more than the largest text that is put into an editor. */
const MAX_LINE = 64 * 1024 * 1024;

/** Answers the requests of a browser at the other end of `pipe`, one after the other; `answer` returns why one cannot be done. */
export function link(pipe: Duplex, answer: (request: OpenRequest) => string | undefined): Link {
	let choice: FinalChoice | undefined;
	let pending = "";
	const send = (message: HostAnswer): void => {
		if (!pipe.destroyed && pipe.writable) pipe.write(`${JSON.stringify(message)}\n`);
	};
	const handle = (line: string): void => {
		const message = parse(line);
		if (message === undefined) return;
		if ("choice" in message) choice = readChoice(message.choice);
		else if (typeof message.request === "number") {
			const error = isOpenRequest(message) ? answer(message) : "the pi-grove in pi does not know this request";
			send({ answer: message.request, ...(error !== undefined && { error }) });
		}
	};
	pipe.setEncoding("utf8").on("data", (more: string) => {
		const lines = (pending + more).split("\n");
		pending = lines.pop() ?? "";
		for (const line of lines) handle(line);
		if (pending.length > MAX_LINE) pipe.destroy();
	});
	// The browser is gone: the exit of its process reports that.
	pipe.on("error", () => undefined);
	return {
		get choice() {
			return choice;
		},
		send,
	};
}

/** The object on a line; undefined if there is none. */
function parse(line: string): Partial<Extract<HostRequest, { request: number }>> | { choice: unknown } | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === "object" && value !== null ? value : undefined;
	} catch {
		return undefined;
	}
}

function isOpenRequest(message: object): message is OpenRequest {
	const { action, name, entryId, label } = message as Readonly<Record<string, unknown>>;
	if (action === "rename") return typeof name === "string";
	return action === "label" && typeof entryId === "string" && (label === null || typeof label === "string");
}

/** Parses the choice that the browser sent; undefined if this version does not know it. */
export function readChoice(value: unknown): FinalChoice | undefined {
	if (typeof value !== "object" || value === null) return undefined;
	const { action, path, cwd, entryId, position, text } = value as Readonly<Record<string, unknown>>;
	const entry = typeof entryId === "string" ? { entryId } : undefined;
	if (action === "edit" || action === "new") return typeof text === "string" ? { action, text } : undefined;
	if (typeof path !== "string") return undefined;
	switch (action) {
		case "resume":
			return {
				action,
				path,
				cwd: typeof cwd === "string" ? cwd : "",
				...entry,
				...(typeof text === "string" && { text }),
			};
		case "goto":
			return entry && { action, path, ...entry };
		case "fork":
			return entry && (position === "before" || position === "at") ? { action, path, ...entry, position } : undefined;
		case "reference":
			return typeof text === "string" ? { action, path, text, ...entry } : undefined;
		default:
			return undefined;
	}
}
