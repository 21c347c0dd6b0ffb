import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CheckoutRequest } from "../../../src/changes/kinds/checkout.ts";
import { createStoreHere } from "../../../src/changes/store-thread/store-client.ts";
import { ChangedSessions } from "../../support/changed-sessions.ts";
import { EditingSession } from "../../support/editing-session.ts";
import { GitRepository } from "../../support/git-repository.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** A repository with links, and a session in it whose files are checked out beside it. */
export class CheckoutWorld {
	readonly base = tempDir();
	readonly changed = new ChangedSessions(join(this.base, "state"), createStoreHere());
	readonly repository = new GitRepository(join(this.base, "api"));
	readonly session: EditingSession;
	readonly path: string;
	/** Where it is made. */
	readonly into = join(this.base, "api@then");

	constructor() {
		const { repository } = this;
		repository.put(
			new Map([
				[repository.file("a.txt"), "a\n"],
				[repository.file(".gitignore"), "ignored\n"],
				[repository.file("deep/b.txt"), "b\n"],
			]),
		);
		symlinkSync(this.base, repository.file("out"));
		symlinkSync("deep", repository.file("in"));
		symlinkSync("nowhere", repository.file("broken"));
		repository.commit(Date.UTC(2026, 0, 10), "all");
		this.session = new EditingSession("01a10000-0000-7000-8000-0000000000a1", repository.path, Date.UTC(2026, 0, 11));
		this.session.prompt("Go");
		this.session.write("a.txt", "changed\n");
		this.session.prompt("Go on");
		this.path = join(this.changed.agent.root, "--project--", "session.jsonl");
		mkdirSync(dirname(this.path), { recursive: true });
		writeFileSync(this.path, this.session.text);
	}

	request(rest: Partial<CheckoutRequest> = {}): CheckoutRequest {
		const { path, into, repository } = this;
		const about = { path, title: "Go", entryId: this.session.leaf ?? "", into, inside: "", branches: false };
		const git = {
			repository: repository.path,
			commit: readFileSync(repository.file(".git/refs/heads/main"), "utf8").trim(),
		};
		return { type: "checkout", ...about, ...git, files: [{ name: "a.txt", text: "changed\n" }], ...rest };
	}

	/** Makes it; resolves to the message. */
	async make(rest: Partial<CheckoutRequest> = {}): Promise<string> {
		return (await this.changed.journal.make(this.request(rest))).message.text;
	}

	/** The names in the directory around the repository, and the number of worktrees. */
	around() {
		const names = readdirSync(this.base).filter((name) => name !== "state");
		return { names, worktrees: this.repository.git("worktree", "list").split("\n").length };
	}
}

/** What is around it before anything is made. */
export const NOTHING = { names: ["api"], worktrees: 1 };
