import { Socket } from "node:net";
import { z } from "zod";
import type { Choice, HostAnswer, HostChange, HostInfo, HostRequest } from "../../app/world/state/choice.ts";
import { OpenSchema } from "./host-info.ts";

/** The link to the pi that started us: JSON lines both ways on one descriptor. */
export interface HostLink {
	readonly info: HostInfo;
	/** Tells pi what was chosen; resolves when that is on its way. */
	choose(choice: Choice): Promise<void>;
	/** Has pi change the session that is open there; rejects with why it was not changed, in a sentence. */
	change(change: HostChange): Promise<void>;
	/** Calls `listener` with what pi tells. */
	listen(listener: (told: Told) => void): void;
	/** Resolves when pi has gone away. */
	readonly gone: Promise<void>;
}

/** What pi tells unasked. */
type Told = Extract<HostAnswer, { readonly busy: boolean }>;

const AnswerSchema: z.ZodType<HostAnswer> = z.union([
	z.object({ answer: z.number(), error: z.string().exactOptional() }),
	z.object({ busy: z.boolean(), open: OpenSchema }),
]);

/** pi answers at once, unless something keeps it from everything. */
const ANSWER_MS = 10_000;
/** A line that never ends is no answer. */
const LONGEST = 1_000_000;

/** Opens the link. Throws when the descriptor is none that can be used. */
export function openHostLink(info: HostInfo): HostLink {
	const socket = new Socket({ fd: info.fd, readable: true, writable: true });
	const gone = Promise.withResolvers<void>();
	const asked = new Map<number, PromiseWithResolvers<void>>();
	let requests = 0;
	let listener: ((told: Told) => void) | undefined;
	/** What has come before anybody listened. */
	let early: Told | undefined;
	let isGone = false;

	function end(): void {
		isGone = true;
		for (const answer of asked.values()) answer.reject(new Error("pi has ended"));
		asked.clear();
		gone.resolve();
	}

	function receive(line: string): void {
		const read = AnswerSchema.safeParse(readJson(line));
		// A later pi may say more than we know.
		if (!read.success) return;
		const { data } = read;
		if (!("answer" in data)) {
			if (listener === undefined) early = data;
			else listener(data);
			return;
		}
		const answer = asked.get(data.answer);
		asked.delete(data.answer);
		if (data.error === undefined) answer?.resolve();
		else answer?.reject(new Error(data.error));
	}

	function send(message: HostRequest): Promise<void> {
		return new Promise((resolve) => socket.write(`${JSON.stringify(message)}\n`, () => resolve()));
	}

	socket.setEncoding("utf8");
	let kept = "";
	socket.on("data", (chunk: string) => {
		const lines = (kept + chunk).split("\n");
		kept = (lines.pop() ?? "").slice(-LONGEST);
		for (const line of lines) receive(line);
	});
	socket.on("end", end);
	socket.on("close", end);
	// It is followed by "close".
	socket.on("error", end);

	return {
		info,
		gone: gone.promise,
		listen(next) {
			listener = next;
			if (early !== undefined) next(early);
		},
		async change(change: HostChange) {
			if (isGone) throw new Error("pi has ended");
			const request = ++requests;
			const answer = Promise.withResolvers<void>();
			asked.set(request, answer);
			const timer = setTimeout(() => {
				asked.delete(request);
				answer.reject(new Error("pi has not answered within ten seconds; look there whether it was changed"));
			}, ANSWER_MS);
			try {
				await send({ request, ...change });
				await answer.promise;
			} finally {
				clearTimeout(timer);
			}
		},
		async choose(choice) {
			if (!isGone) await send({ choice });
		},
	};
}

function readJson(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}
