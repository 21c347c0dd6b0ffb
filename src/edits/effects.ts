/** What a simple command of a shell line does to files; its paths are absolute, and end in no slash. */
export type FileEffect = PlainEffect | GitEffect | MayEffect;

/** A change whose result is known from the words of the command. A path may be that of a directory, and then stands for all below it. */
type PlainEffect =
	/** `cat > F <<'EOF'`, `echo x >> F`: the whole text, or that which is added, is in the command. */
	| { readonly kind: "write" | "append"; readonly path: string; readonly text: string }
	/** `touch`, `mkdir`: it exists afterwards; a file that was there keeps its text, another one is empty. */
	| { readonly kind: "create"; readonly path: string; readonly isDirectory: boolean }
	/** `mv`, `git mv`, `cp`. `to` is the new name, unless it is a directory by then: then the new name is below it. */
	| { readonly kind: "move" | "copy"; readonly from: string; readonly to: string; readonly by: "shell" | "git" }
	/** `isCommitted`: `git rm` without `-f`, which removes a file only if it is as the commit has it. */
	| { readonly kind: "remove"; readonly path: string; readonly by: "shell" | "git"; readonly isCommitted?: boolean }
	/** `isRecursive`: all below a directory has it, and else only the directory. */
	| { readonly kind: "mode"; readonly path: string; readonly isExecutable: boolean; readonly isRecursive: boolean }
	/** `ln -s`: `path` is the new name as with `mv`; below a directory it is the last name of the target. */
	| { readonly kind: "link"; readonly path: string; readonly target: string }
	/** `sed -i` with plain `s/…/…/` and `Nd`, whose result can be computed; undefined: this text cannot be what it ran on. */
	| { readonly kind: "rewrite"; readonly path: string; readonly apply: (text: string) => string | undefined };

/** What Git does to the working tree of the repository that `directory` is in, or to its index. `paths`: absolute; undefined: all. */
type GitEffect = { readonly kind: "git"; readonly directory: string } & (
	| { readonly does: "add"; readonly paths: readonly string[] | undefined }
	/** `git checkout [TREE] -- PATHS`, `git restore [--source=TREE] PATHS`. `tree`: undefined for the index. */
	| { readonly does: "restore"; readonly paths: readonly string[]; readonly tree: string | undefined }
	/** `untracked`: whether it takes files that Git does not know, too: "all", also ignored ones. */
	| { readonly does: "stash"; readonly untracked: "none" | "some" | "all" }
	/** "reset": `git reset --hard`. */
	| { readonly does: "pop" | "reset" }
	/** What HEAD did then is in the reflog: commit, checkout of a branch, merge, revert, pull, rebase, …. */
	| { readonly does: "move"; readonly subcommand: string }
);

/** What is not plain. */
interface MayEffect {
	readonly kind: "may";
	/** Absolute paths of all that it may change, with all below them; undefined: any file. */
	readonly paths: readonly string[] | undefined;
	/** If that is any: absolute paths that its words name, or may name, as those of a formatter or a script. */
	readonly named: readonly string[];
	/** Whether its words say that it changes files it does not name: `xargs sed -i`, `prettier --write .`, `eslint --fix`. */
	readonly isWide: boolean;
	/** Absolute path of the script that it runs, if that is all it does. */
	readonly script?: string | undefined;
}

/** An effect, and whether it has happened. */
export type PlacedEffect = FileEffect & {
	/** "perhaps": beside `||`, where a line that succeeded need not have run it. */
	readonly ifSucceeded: "yes" | "perhaps";
	/** "no": a line that failed has not done it, since its command is the last one, and does nothing where it fails. */
	readonly ifFailed: "no" | "perhaps";
};

/** It may change any file, and names these. */
export function mayAny(named: readonly string[] = [], isWide = false): MayEffect {
	return { kind: "may", paths: undefined, named: [...new Set(named)], isWide };
}

/** It may change these, and all below them. */
export function mayPaths(...paths: readonly string[]): FileEffect {
	return { kind: "may", paths, named: [], isWide: false };
}

/** The same, if it is not certain that it is done. */
export function mayOf(effect: FileEffect): FileEffect {
	if (effect.kind === "may") return effect;
	if ("from" in effect) return effect.kind === "move" ? mayPaths(effect.from, effect.to) : mayPaths(effect.to);
	if (effect.kind !== "git") return mayPaths(effect.path);
	if (effect.does === "restore") return mayPaths(...effect.paths);
	const isOfIndex = effect.does === "add" || (effect.does === "move" && effect.subcommand === "commit");
	return isOfIndex ? mayPaths() : mayAny([], true);
}

/** Whether a command that failed has done none of its effects. */
export function isUndoneByFailure(effects: readonly FileEffect[]): boolean {
	const isWhole = (effect: FileEffect): boolean => {
		if (effect.kind === "may") return false;
		if (effect.kind !== "git")
			return ("by" in effect && effect.by === "git") || (effect.kind !== "remove" && !effects[1]);
		return effect.does !== "pop" && (effect.does !== "move" || /^(?:commit|checkout|switch)$/.test(effect.subcommand));
	};
	return effects.length > 0 && effects.every(isWhole);
}
