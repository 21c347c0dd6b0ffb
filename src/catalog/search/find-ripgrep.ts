import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "../../shared/paths.ts";
import { type Env, type System, thisSystem } from "../../shared/system.ts";
import { errorCode } from "../../store/files/store-error.ts";
import { agentDir } from "../../store/read/session-dir.ts";

/** ripgrep is missing, was killed by another program, or printed something unexpected; the message is for the user. */
export class RipgrepError extends Error {}

/** ripgrep could not use a pattern, or gave up on a line: it reached a size limit, or a limit of its second engine. */
export class PatternError extends RipgrepError {}

export interface Ripgrep {
	readonly command: string;
	/** Whether it has the second engine in a recent enough version (lookbehind of varying length: PCRE2 10.43). */
	readonly pcre2: boolean;
}

let cached: { readonly key: string; readonly ripgrep: Promise<Ripgrep> } | undefined;

/**
 * The ripgrep to search with: the one that `PI_GROVE_RG` names, if set; else the one that came with this program,
 * `rg` on the PATH, or pi's own. Rejects with a `RipgrepError` if none can be started; the next call tries again.
 */
export function findRipgrep(env: Env = process.env, system = thisSystem): Promise<Ripgrep> {
	const key = `${env.PI_GROVE_RG}\n${env.PATH}\n${agentDir(env)}`;
	if (cached?.key !== key) {
		const ripgrep = probe(env, system);
		cached = { key, ripgrep };
		ripgrep.catch(() => {
			cached = undefined;
		});
	}
	return cached.ripgrep;
}

async function probe(env: Env, { platform, isUnix }: System): Promise<Ripgrep> {
	const tried: string[] = [];
	for (const command of await commands(env, isUnix ? "rg" : "rg.exe")) {
		try {
			return { command, pcre2: await hasPcre2(command) };
		} catch (error) {
			tried.push(`${command}: ${errorCode(error) || error}`);
		}
	}
	// No package has ripgrep for Android; Termux has it.
	const way = platform === "android" ? "with `pkg install ripgrep`" : "so that rg is on the PATH";
	throw new RipgrepError(
		`Searching the text of sessions needs ripgrep, which cannot be started (${tried.join("; ")}). ` +
			`Install it, ${way}, or name it in PI_GROVE_RG.`,
	);
}

async function commands(env: Env, name: string): Promise<string[]> {
	if (env.PI_GROVE_RG) return [env.PI_GROVE_RG];
	const commands = [name, join(agentDir(env), "bin", name)];
	try {
		const { rgPath } = await import("@vscode/ripgrep");
		return [rgPath, ...commands];
	} catch {
		// There is no package for this machine, or it was not installed: try the others.
		return commands;
	}
}

/** Tries a pattern for the second engine on empty input. Rejects if the command cannot be started. */
async function hasPcre2(command: string): Promise<boolean> {
	const args = ["--no-config", "--pcre2", "--quiet", "foo(?<=fo{1,9})", "-"];
	const [code] = await once(spawn(command, args, { stdio: "ignore" }), "close");
	return code === 1;
}
