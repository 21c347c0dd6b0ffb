/** What a simple command of a shell line does to files; its paths are absolute, and end in no slash. */
export type Effect = FileEffect | GitEffect | MayEffect;

/** A change whose result is known from the words of the command. A path may be that of a directory, and then stands for all below it. */
type FileEffect =
	/** `cat > F <<'EOF'`, `echo x > F`: the whole text is in the command. */
	| { readonly kind: "write"; readonly path: string; readonly text: string }
	/** The same with `>>`: the text is added behind what was there. */
	| { readonly kind: "append"; readonly path: string; readonly text: string }
	/** `touch`, `mkdir`: it exists afterwards; a file that was there keeps its text, another one is empty. */
	| { readonly kind: "create"; readonly path: string; readonly isDirectory: boolean }
	/** `mv`, `git mv`, `cp`. `to` is the new name, unless it is a directory by then: then the new name is below it. */
	| { readonly kind: "move" | "copy"; readonly from: string; readonly to: string; readonly by: "shell" | "git" }
	/** `rm`, `git rm`. */
	| { readonly kind: "remove"; readonly path: string; readonly by: "shell" | "git" }
	/** `isRecursive`: all below a directory has it, and else only the directory. */
	| { readonly kind: "mode"; readonly path: string; readonly isExecutable: boolean; readonly isRecursive: boolean }
	/** `ln -s`: `path` is the new name as with `mv`; below a directory it is the last name of the target. */
	| { readonly kind: "link"; readonly path: string; readonly target: string }
	/** `sed -i` with plain `s/…/…/` and `Nd`, whose result can be computed; undefined: this text cannot be what it ran on. */
	| { readonly kind: "rewrite"; readonly path: string; readonly apply: (text: string) => string | undefined };

/** What Git does to the working tree of the repository that `directory` is in, or to its index. `paths`: absolute; undefined: all. */
type GitEffect = {
	readonly kind: "git";
	readonly directory: string;
} /** `takesUntracked`: and not only what Git knows already, as with `git add -u` and `git commit -a`. */ & (
	| { readonly does: "add"; readonly paths: readonly string[] | undefined; readonly takesUntracked: boolean }
	/** `git checkout [TREE] -- PATHS`, `git restore [--source=TREE] PATHS`. `tree`: undefined for the index. */
	| { readonly does: "restore"; readonly paths: readonly string[] | undefined; readonly tree: string | undefined }
	/** `stash`: what Git does not track is left alone, unless it is taken too. */
	| { readonly does: "stash"; readonly takesUntracked: boolean }
	| { readonly does: "pop" }
	/** `reset --hard`. `tree`: undefined for HEAD. */
	| { readonly does: "reset"; readonly tree: string | undefined }
	/** What HEAD did then is in the reflog: commit, checkout of a branch, merge, revert, pull, rebase, …. */
	| { readonly does: "move"; readonly subcommand: string }
);

/** What is not plain. */
interface MayEffect {
	readonly kind: "may";
	/** Absolute paths of all that it may change, with all below them; undefined: any file. */
	readonly paths: readonly string[] | undefined;
	/**
	 * Paths that its words name beside that, or may name (absolute, resolved from where it runs): a formatter's, a script's. Only if `paths`
	 * is undefined.
	 */
	readonly named: readonly string[];
	/** Whether its words say that it changes files it does not name: `xargs sed -i`, `prettier --write .`, `find -exec`, `eslint --fix`. */
	readonly isWide: boolean;
}

/** An effect, and whether it has happened. */
export type PlacedEffect = Effect & {
	/**
	 * Whether it has certainly happened if the whole line succeeded (exit code 0), and if it failed: the last command of `a && b` failed or one
	 * before it, `a; b` says nothing of a. "yes": all commands before it and itself have succeeded; "no": it cannot have run or has failed;
	 * "perhaps" otherwise.
	 */
	readonly ifSucceeded: "yes" | "perhaps";
	readonly ifFailed: "no" | "perhaps";
};
