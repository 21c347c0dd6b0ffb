import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { Socket } from "node:net";
import { type GitPlace, type GitReason, gitReason, notStarted, startGit } from "./git-process.ts";

/** An object as Git stores it. */
export interface GitObject {
	readonly id: string;
	readonly type: string;
	readonly content: Buffer;
}

/** A question that waits for its answers, one a name. */
interface Question {
	readonly answers: (GitObject | undefined)[];
	readonly wanted: number;
	readonly resolve: (answer: readonly (GitObject | undefined)[] | GitReason) => void;
}

/** One `cat-file --batch` for all objects that are read, started with the first. It does not keep the program alive. */
export class ObjectReader {
	readonly #place: () => Promise<GitPlace>;
	#child: ChildProcessWithoutNullStreams | undefined;
	#last: Promise<unknown> = Promise.resolve();
	#question: Question | undefined;
	#chunks: Buffer[] = [];
	#bytes = 0;
	/** The object whose content comes next; `size`: its bytes, with the line end behind them. */
	#head: (Pick<GitObject, "id" | "type"> & { readonly size: number }) | undefined;
	#stderr = "";

	constructor(place: () => Promise<GitPlace>) {
		this.#place = place;
	}

	/** The objects by names without line ends: `ID`, `ID^{tree}`. Undefined for what the repository does not have. */
	read(names: readonly string[]): Promise<readonly (GitObject | undefined)[] | GitReason> {
		const answer = this.#last.then(() => (names.length === 0 ? [] : this.#ask(names)));
		this.#last = answer;
		return answer;
	}

	close(): void {
		this.#child?.stdin.end();
		this.#child = undefined;
	}

	async #ask(names: readonly string[]): Promise<readonly (GitObject | undefined)[] | GitReason> {
		const place = await this.#place();
		return new Promise((resolve) => {
			this.#question = { answers: [], wanted: names.length, resolve };
			try {
				const child = this.#child ?? this.#start(place);
				this.#child = child;
				hold(child, true);
				child.stdin.write(`${names.join("\n")}\n`);
			} catch (error) {
				this.#end(undefined, notStarted(error).reason);
			}
		});
	}

	#start(place: GitPlace): ChildProcessWithoutNullStreams {
		const child = startGit(["cat-file", "--batch"], place);
		[this.#chunks, this.#bytes, this.#head, this.#stderr] = [[], 0, undefined, ""];
		child.stdin.on("error", () => undefined);
		child.stderr.on("data", (chunk: Buffer) => {
			this.#stderr = `${this.#stderr}${chunk.toString("utf8")}`.slice(0, 4096);
		});
		child.stdout.on("data", (chunk: Buffer) => {
			// One that was ended may still answer.
			if (this.#child === undefined || this.#child === child) this.#take(chunk);
		});
		child.on("error", (error: NodeJS.ErrnoException) => {
			this.#end(child, gitReason({ code: error.code ?? "", message: error.message }, "", place));
		});
		child.on("close", () => this.#end(child, gitReason({ message: "it ended" }, this.#stderr, place)));
		return child;
	}

	/** The process is gone; who waits for it is told why. */
	#end(child: ChildProcessWithoutNullStreams | undefined, reason: string): void {
		if (this.#child !== undefined && child !== this.#child) return;
		this.#child = undefined;
		const question = this.#question;
		this.#question = undefined;
		question?.resolve({ reason });
	}

	#take(chunk: Buffer): void {
		this.#chunks.push(chunk);
		this.#bytes += chunk.length;
		if (this.#head !== undefined && this.#bytes <= this.#head.size) return;
		const data = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
		let at = 0;
		for (;;) {
			if (this.#head === undefined) {
				const end = data.indexOf("\n", at);
				if (end === -1) break;
				const [, id = "", type = "", size] =
					/^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/.exec(data.toString("latin1", at, end)) ?? [];
				at = end + 1;
				// "NAME missing", or "NAME ambiguous".
				if (size === undefined) this.#answer(undefined);
				else this.#head = { id, type, size: Number(size) };
			} else {
				const { id, type, size } = this.#head;
				if (data.length - at <= size) break;
				// A copy, as a small part would keep all that came with it.
				this.#answer({ id, type, content: Buffer.from(data.subarray(at, at + size)) });
				at += size + 1;
				this.#head = undefined;
			}
		}
		this.#chunks = [data.subarray(at)];
		this.#bytes = data.length - at;
	}

	#answer(object: GitObject | undefined): void {
		const question = this.#question;
		question?.answers.push(object);
		if (question === undefined || question.answers.length < question.wanted) return;
		this.#question = undefined;
		if (this.#child !== undefined) hold(this.#child, false);
		question.resolve(question.answers);
	}
}

/** Whether the program waits for a process. */
function hold(child: ChildProcessWithoutNullStreams, isWaiting: boolean): void {
	for (const one of [child, child.stdin, child.stdout, child.stderr]) {
		if (one !== child && !(one instanceof Socket)) continue;
		if (isWaiting) one.ref();
		else one.unref();
	}
}
