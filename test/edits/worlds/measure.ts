import { join } from "node:path";
import { type ToldFile, toldFiles, toldLines } from "./ask.ts";
import { isTrivial, type Origin } from "./authors.ts";
import { Causes, lastDeed } from "./causes.ts";
import { Chance } from "./chance.ts";
import { blobAt, isIgnored, type Snapshot } from "./disk.ts";
import { linesOf } from "./texts.ts";
import type { World } from "./world.ts";
import type { Step, WorldSession } from "./world-session.ts";

/** A promise that was not kept. */
export interface Fault {
	readonly kind: "wrong exact" | "wrong author" | "no row" | "wrong diff" | "patch refused" | "show differs";
	/** With it the same world is made again. */
	readonly seed: number;
	/** "SESSION#ENTRY FILE" */
	readonly where: string;
	/** The operation that changed the file last, and what was answered. */
	readonly cause: string;
	readonly why: string;
}

/** How often each answer was right, in all worlds that were measured. */
export class Measure {
	readonly faults: Fault[] = [];
	readonly #counts = new Map<string, number>();

	count(what: string, times = 1): void {
		this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
	}

	/** How often something was counted whose name begins so. */
	sum(...beginnings: readonly string[]): number {
		const counts = [...this.#counts].filter(([what]) => beginnings.some((one) => what.startsWith(one)));
		return counts.reduce((sum, [, times]) => sum + times, 0);
	}

	/** One line for each count, and the rates. */
	table(): string {
		const rate = (part: number, all: number): string => (all === 0 ? "none" : `${((100 * part) / all).toFixed(1)} %`);
		const rows = this.sum("checkout exact", "checkout likely", "checkout unknown");
		const lines = this.sum("blame by tool");
		return [
			...[...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([what, times]) => `${what}: ${times}`),
			`rows exact: ${rate(this.sum("checkout exact"), rows)}`,
			`rows likely and wrong: ${rate(this.sum("checkout likely wrong"), rows)}`,
			`rows unknown: ${rate(this.sum("checkout unknown"), rows)}`,
			`lines without an author: ${rate(this.sum("blame by tool unknown"), lines)}`,
			...[...Map.groupBy(this.faults, ({ kind, cause }) => `${kind}, ${cause}`)]
				.sort(([, one], [, other]) => other.length - one.length)
				.map(
					([what, all]) =>
						`fault ${what}: ${all.length} (seeds ${[...new Set(all.map(({ seed }) => seed))].slice(0, 4)})`,
				),
		].join("\n");
	}

	/** Compares what the engine says of a world with the disk: so many entries of each session, and so many files. */
	async world(world: World, entries: number, files: number): Promise<void> {
		const chance = new Chance(world.seed + 77_777);
		const causes = new Causes(world);
		for (const session of world.sessions) {
			const last = session.steps.at(-1);
			if (last === undefined) continue;
			const others = chance.some(session.steps.slice(0, -1), entries - 1);
			for (const step of [last, ...others]) await this.#files(world, session, step, causes);
		}
		for (const root of world.now.keys()) {
			const names = world.files(root, (name) => world.text(root, name) !== "");
			const ofTools = names.filter((name) => world.authors.of(root, name).some(({ how }) => isTool(how)));
			for (const name of [...chance.some(ofTools, files), ...chance.some(names, 1)])
				await this.#lines(world, root, name, causes);
		}
	}

	async #files(world: World, session: WorldSession, step: Step, causes: Causes): Promise<void> {
		const told = await toldFiles(world, session, step.entryId);
		for (const name of new Set([...told.keys(), ...step.after.keys()])) {
			const file = told.get(name);
			const path = join(session.root, name);
			// Outside of Git, a directory of then has what is in that of the session.
			if (!world.isGit && file === undefined && !path.startsWith(`${session.cwd}/`)) continue;
			const isRight = isAsOnDisk(file, step.after, name);
			const last = lastDeed(world, path, step.deeds);
			const where = `${session.id}#${step.entryId} ${name}`;
			const fault = { seed: world.seed, where, cause: last?.operation ?? "never changed", why: file?.why ?? "" };
			const isExempt = !isRight && causes.isUntraced(path, step.deeds);
			const result = isRight ? "right" : isExempt ? "wrong, by hand without a trace" : "wrong";
			if (file?.answer !== undefined) {
				this.count(`checkout ${file.answer} ${result}`);
				if (isRight && hasOtherMode(file, step.after, name)) this.count(`checkout ${file.answer}, other mode`);
				if (file.answer === "exact" && result === "wrong") this.faults.push({ kind: "wrong exact", ...fault });
			} else if (!isIgnored(name) && (world.isGit || file !== undefined || last?.author.how === "bash")) {
				this.count(`checkout no row ${result}`);
				const isPlain = last?.isPlain === true && last.author.how === "bash";
				if (result === "wrong" && isPlain) this.faults.push({ kind: "no row", ...fault, why: last.text });
			}
		}
	}

	async #lines(world: World, root: string, name: string, causes: Causes): Promise<void> {
		const path = join(root, name);
		const texts = linesOf(world.text(root, name)).map((line) => line.trim());
		const origins = world.authors.of(root, name);
		const told = await toldLines(world, path);
		if (told.length !== texts.length) return this.count("blame other lines");
		const idOf = new Map(world.sessions.map((session) => [session.path, session.id]));
		for (const [index, { answer, sessions, why }] of told.entries()) {
			const [text = "", origin] = [texts[index], origins[index]];
			const same = origins.filter((_, other) => texts[other] === text);
			const makers = new Set(same.flatMap((one) => [one.session, ...one.again]));
			const isMaker = (session: string): boolean => {
				const id = idOf.get(session) ?? session;
				return makers.has(id) || (isTrivial(text) && world.authors.everWrote(name, text).has(id));
			};
			const isRight = answer === "exact" ? sessions.every(isMaker) : sessions.some(isMaker);
			const isExempt = !isRight && causes.isUntraced(path, world.deeds.length);
			const result = answer === "unknown" ? "" : isRight ? "right" : isExempt ? "wrong, by hand" : "wrong";
			this.count(
				`blame by ${isTool(origin?.how) ? "tool" : origin?.how === "bash" ? "command" : "hand"} ${answer} ${result}`.trim(),
			);
			if (answer !== "exact" || result !== "wrong") continue;
			const where = `${name}:${index + 1} ${origin?.session}#${origin?.entryId} not ${sessions.map((one) => idOf.get(one))}`;
			const cause = lastDeed(world, path, world.deeds.length)?.operation ?? "never changed";
			this.faults.push({ kind: "wrong author", seed: world.seed, where, cause, why });
		}
	}
}

function isTool(how: Origin["how"] | undefined): boolean {
	return how === "edit" || how === "write";
}

/** Whether a file is as it was on the disk; of a link that is told by its text, the file that it leads to. */
function isAsOnDisk(told: ToldFile | undefined, disk: Snapshot, name: string): boolean {
	const file = disk.get(name);
	const isLink = told?.mode === "120000" || told === undefined;
	return told?.blob === (isLink ? file?.blob : blobAt(disk, name));
}

function hasOtherMode({ mode, blob }: ToldFile, disk: Snapshot, name: string): boolean {
	const file = disk.get(name);
	return blob !== undefined && mode !== undefined && !file?.isLink && (mode === "100755") !== file?.isExecutable;
}
