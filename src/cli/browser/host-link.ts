import { Socket } from "node:net";
import { z } from "zod";
import type {
	FinalChoice,
	HostAnswer,
	HostChange,
	HostInfo,
	HostRequest,
	OpenInHost,
} from "../../app/world/state/choice.ts";
import { explain } from "../../store/files/store-error.ts";
import { parseJson } from "../../store/format/parse.ts";
import { EXIT, Mistake } from "../print/output.ts";
import type { Chooser } from "./finish.ts";

/** The link to the pi that started this process: JSON lines both ways on one descriptor. */
export interface HostLink {
	readonly info: HostInfo;
	/** Sends pi the choice; resolves once it is written. */
	choose(choice: FinalChoice): Promise<void>;
	change(change: HostChange): Promise<void>;
	listen(listener: (status: HostStatus) => void): void;
	/** Resolves when pi has ended. */
	readonly gone: Promise<void>;
}

/** What pi reports without being asked. */
type HostStatus = Extract<HostAnswer, { readonly busy: boolean }>;

const OpenSchema: z.ZodType<OpenInHost> = z.object({
	id: z.string(),
	cwd: z.string(),
	path: z.string().exactOptional(),
	leaf: z.string().nullable(),
});

const InfoSchema: z.ZodType<HostInfo> = z.object({
	protocol: z.literal(1),
	fd: z.int().min(0),
	pi: z.string(),
	open: OpenSchema,
	busy: z.boolean(),
	opens: z.enum(["changes", "revert"]).exactOptional(),
	theme: z
		.object({
			colors: z.record(z.string(), z.union([z.string(), z.number()])),
			appearance: z.enum(["dark", "light"]),
		})
		.exactOptional(),
});

const AnswerSchema: z.ZodType<HostAnswer> = z.union([
	z.object({ answer: z.number(), error: z.string().exactOptional() }),
	z.object({ busy: z.boolean(), open: OpenSchema }),
]);

/**
 * The chooser for the pi that started this process. `text`: the value of PI_GROVE_HOST. Throws a `Mistake` if that cannot be
 * understood or its descriptor cannot be used. (Imported only when pi is there: loading the schemas takes 20 ms.)
 */
export function hostChooser(text: string): Chooser {
	const info = readHostInfo(text);
	try {
		const link = openHostLink(info);
		return { link, choose: link.choose, leftCode: EXIT.ok };
	} catch (error) {
		throw new Mistake(`cannot talk to pi over descriptor ${info.fd}: ${explain(error)}`);
	}
}

function readHostInfo(text: string): HostInfo {
	const value = parseJson(text);
	const info = InfoSchema.safeParse(value);
	if (info.success) return info.data;
	const protocol = z.object({ protocol: z.number() }).safeParse(value);
	if (protocol.success && protocol.data.protocol !== 1)
		throw new Mistake(
			`the extension in pi uses protocol version ${protocol.data.protocol}, and this pi-grove knows only 1; reinstall both: pi install npm:pi-grove`,
		);
	const [issue] = info.error.issues;
	const where = issue === undefined || issue.path.length === 0 ? "it" : issue.path.join(".");
	throw new Mistake(`cannot read PI_GROVE_HOST: ${where} is not as expected; only pi sets it (/grove)`);
}

/** pi answers at once unless it is blocked. */
const ANSWER_MS = 10_000;
/** Longest line that is kept, in characters. */
const LONGEST = 1_000_000;

/** Throws when the descriptor cannot be used. */
function openHostLink(info: HostInfo): HostLink {
	const socket = new Socket({ fd: info.fd, readable: true, writable: true });
	const hostEnd = Promise.withResolvers<void>();
	const pending = new Map<number, PromiseWithResolvers<void>>();
	let requests = 0;
	let listener: ((status: HostStatus) => void) | undefined;
	/** The last status that came before there was a listener. */
	let early: HostStatus | undefined;
	let isGone = false;

	function end(): void {
		isGone = true;
		for (const answer of pending.values()) answer.reject(new Error("pi has ended"));
		pending.clear();
		hostEnd.resolve();
	}

	function receive(line: string): void {
		const read = AnswerSchema.safeParse(parseJson(line));
		// A later pi may send other messages, too.
		if (!read.success) return;
		const { data } = read;
		if (!("answer" in data)) {
			if (listener === undefined) early = data;
			else listener(data);
			return;
		}
		const answer = pending.get(data.answer);
		pending.delete(data.answer);
		if (data.error === undefined) answer?.resolve();
		else answer?.reject(new Error(data.error));
	}

	function send(message: HostRequest): Promise<void> {
		return new Promise((resolve) => socket.write(`${JSON.stringify(message)}\n`, () => resolve()));
	}

	socket.setEncoding("utf8");
	let rest = "";
	socket.on("data", (chunk: string) => {
		const lines = (rest + chunk).split("\n");
		rest = (lines.pop() ?? "").slice(-LONGEST);
		for (const line of lines) receive(line);
	});
	socket.on("end", end);
	socket.on("close", end);
	// It is followed by "close".
	socket.on("error", end);

	return {
		info,
		gone: hostEnd.promise,
		listen(next) {
			listener = next;
			if (early !== undefined) next(early);
		},
		async change(change: HostChange) {
			if (isGone) throw new Error("pi has ended");
			const request = ++requests;
			const answer = Promise.withResolvers<void>();
			pending.set(request, answer);
			const timer = setTimeout(() => {
				pending.delete(request);
				answer.reject(new Error("pi has not answered within ten seconds; check there whether it made the change"));
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
