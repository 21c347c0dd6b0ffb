import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { type RunResult, run } from "../../support/run.ts";
import type { Sandbox } from "../../support/sandbox.ts";
import { Causes, lastDeed } from "./causes.ts";
import { blobAt, blobOf, isIgnored, type Snapshot, scan } from "./disk.ts";
import type { Fault, Measure } from "./measure.ts";
import type { World } from "./world.ts";
import type { Step, WorldSession } from "./world-session.ts";

const answer = z.string();
const ROWS = z.object({
	root: z.string(),
	files: z.array(z.object({ file: z.string(), answer, why: z.string(), written: z.boolean() })),
});
const SHOWN = z.object({ path: z.string(), answer, why: z.string(), text: z.string().nullable() });
const text = z.string().nullish();
const edits = z.array(z.object({ entryId: z.string() }));
const CHANGED = z.array(z.object({ path: z.string(), answer, why: z.string(), before: text, after: text, edits }));

/** What the program itself says of a world that was made in the home directory of a sandbox. */
export class ProgramMeasure {
	readonly #sandbox: Sandbox;
	readonly #world: World;
	readonly #measure: Measure;
	readonly #causes: Causes;

	constructor(sandbox: Sandbox, world: World, measure: Measure) {
		this.#sandbox = sandbox;
		this.#world = world;
		this.#measure = measure;
		this.#causes = new Causes(world);
	}

	/** All of it: of each session its changes and their patch, of its last entry the files, once made and once shown. */
	compare(): void {
		for (const session of this.#world.sessions) {
			const last = session.stepsTo().at(-1);
			if (last === undefined) continue;
			this.#checkout(session, last);
			this.#diff(session, last);
		}
	}

	/** A program that fails is no answer. `codes`: those that it may have. */
	#run(args: readonly string[], ...codes: readonly (number | null)[]): RunResult {
		const result = run(this.#sandbox, args);
		if (!(codes.length === 0 ? [0] : codes).includes(result.code))
			throw new Error(`seed ${this.#world.seed}: ${args.join(" ")}: ${result.code} ${result.err}`);
		return result;
	}

	#fault(kind: Fault["kind"], step: Step, session: WorldSession, name: string, why: string): void {
		const cause = lastDeed(this.#world, join(session.root, name), step.deeds)?.operation ?? "never changed";
		const where = `${session.id}#${step.entryId} ${name}`;
		this.#measure.faults.push({ kind, seed: this.#world.seed, where, cause, why });
	}

	/** The files of an entry, made in a directory, beside the disk of then and beside what `show` says of each. */
	#checkout(session: WorldSession, step: Step): void {
		const into = join(this.#world.dir, "into");
		const target = `${session.id}#${step.entryId}`;
		const isGone = !this.#world.now.has(session.root);
		const repo = isGone ? ["--repo", this.#world.root] : [];
		const made = this.#run(["checkout", target, "--into", into, "--yes", "--json", ...repo]);
		const { root, files } = ROWS.parse(JSON.parse(made.out));
		const have = scan(into);
		for (const { file: there, answer, why, written } of files) {
			// Outside of Git, names begin at the directory of the session.
			const file = join(isGone ? "" : relative(session.root, root), there);
			const isRight = blobAt(have, there) === blobAt(step.after, file);
			const isUntraced = this.#causes.isUntraced(join(session.root, file), step.deeds);
			this.#measure.count(`made ${answer} ${isRight ? "right" : isUntraced ? "wrong, by hand" : "wrong"}`);
			if (answer === "exact" && !isRight && !isUntraced) this.#fault("wrong exact", step, session, file, why);
			this.#show(session, step, { file, answer, blob: written ? blobAt(have, there) : undefined });
		}
		rmSync(into, { recursive: true });
		if (this.#world.isGit) this.#world.shell("git worktree prune", this.#world.root);
	}

	/** `show --file` has the word of the row, and its text; a row of another session is none of its own. */
	#show(session: WorldSession, step: Step, row: { file: string; answer: string; blob: string | undefined }): void {
		const args = ["show", session.id, "--file", join(session.root, row.file), "--at", step.entryId, "--json"];
		const { code, out } = run(this.#sandbox, args);
		if (code === 2) {
			this.#measure.count("show refused");
			return;
		}
		const { path, answer, why, text: shown } = SHOWN.parse(JSON.parse(out));
		// What is shown of a link is the file behind it.
		if (path !== join(session.root, row.file)) return;
		const blob = shown === null ? undefined : blobOf(Buffer.from(shown));
		const isSame = answer === row.answer && (row.blob === undefined || blob === row.blob);
		this.#measure.count(`show ${isSame ? "same" : "differs"}`);
		if (!isSame) this.#fault("show differs", step, session, row.file, `${row.answer}, but ${answer}: ${why}`);
	}

	/** Both texts of each file, and whether Git takes the patch back from the disk of then. */
	#diff(session: WorldSession, last: Step): void {
		const files = CHANGED.parse(JSON.parse(this.#run(["diff", session.id, "--json"], 0, 1).out || "[]"));
		const steps = session.stepsTo();
		let isExempt = false;
		for (const { path, answer, why, before, after, edits: made } of files) {
			const name = relative(session.root, path);
			isExempt ||= this.#causes.isUntraced(path, last.deeds);
			const places = made.map(({ entryId }) => steps.findIndex((step) => step.entryId === entryId));
			const [first, end] = [Math.min(...places), Math.max(...places)];
			if (answer === "edits" || first < 0 || name.startsWith("..")) {
				this.#measure.count(`diff ${answer}, not compared`);
				continue;
			}
			const held = (moments: readonly Snapshot[], told: string | null | undefined): boolean => {
				const blob = typeof told === "string" ? blobOf(Buffer.from(told)) : undefined;
				return moments.some((files) => blobAt(files, name) === blob);
			};
			const isBefore = held(
				steps.slice(0, first + 1).flatMap((step) => [step.before, step.after]),
				before,
			);
			const isAfter = held(
				steps.slice(end).map((step) => step.after),
				after,
			);
			const result = !isBefore
				? "wrong before"
				: !isAfter
					? "wrong after"
					: held([last.after], after)
						? "right"
						: "stale";
			this.#measure.count(`diff ${answer} ${result}`);
			const isUntraced = this.#causes.isUntraced(path, last.deeds);
			if (answer === "exact" && result.startsWith("wrong") && !isUntraced)
				this.#fault("wrong diff", last, session, name, `${result}: ${why}`);
		}
		const base = this.#world.isGit ? session.root : session.cwd;
		const isWhole = files.every(({ answer, path }) => answer !== "edits" && path.startsWith(`${base}/`));
		if (!isWhole || files.length === 0) {
			this.#measure.count("patch not whole");
			return;
		}
		const refused = this.#refusal(this.#run(["diff", session.id]).out, last.after, relative(session.root, base));
		const result = refused === "" ? "taken" : isExempt ? "refused, by hand" : "refused";
		this.#measure.count(`patch ${result}`);
		if (result === "refused")
			this.#fault("patch refused", last, session, files.map(({ path }) => path).join(), refused);
	}

	/** Why Git does not take a patch back in a directory of a disk; "" if it does. */
	#refusal(patch: string, files: Snapshot, directory: string): string {
		const disk = join(this.#world.dir, "disk");
		for (const [name, { bytes, isLink, isExecutable }] of files) {
			const path = join(disk, name);
			mkdirSync(dirname(path), { recursive: true });
			if (isLink) symlinkSync(bytes.toString(), path);
			else if (!isIgnored(name) || patch.includes(name))
				writeFileSync(path, bytes, { mode: isExecutable ? 0o755 : 0o644 });
		}
		const env = { ...process.env, GIT_CEILING_DIRECTORIES: this.#world.dir };
		const cwd = join(disk, directory);
		const { stderr } = spawnSync("git", ["apply", "-R", "--check"], { cwd, env, input: patch, encoding: "utf8" });
		rmSync(disk, { recursive: true });
		return stderr;
	}
}
