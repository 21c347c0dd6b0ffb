import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type AttackCase, attack } from "../support/attack.ts";
import { answeringBy, fakeSsh } from "../support/fake-ssh.ts";
import { foreignIn, PAYLOADS } from "../support/payloads.ts";
import { Sandbox } from "../support/sandbox.ts";
import { lines, user } from "../support/session-builder.ts";

/** What is pressed once all places are listed. */
const KEYS: readonly (readonly string[])[] = [
	["<places>"],
	["<places>", "enter"],
	["<problems>"],
	["right", "right", "end"],
	["ctrl+r"],
	["<tags>"],
	["<mark-all>", "<stage>"],
	["<projects>"],
	["<stats>"],
	["<path>"],
];

attack(
	"a machine with payloads in all that it says: nothing obeys them, and the screen stays usable",
	1,
	async (one) => {
		const sandbox = new Sandbox();
		const payload = (): string => one.pick(one.pick(PAYLOADS)).replaceAll("\0", "").toWellFormed().slice(0, 500);
		const ssh = fakeSsh(
			`case "$1" in -t) exit 0;; esac; case "$*" in *mini*) ;; *) cat reason >&2; exit 255;; esac\n${answeringBy(hostSaying(payload, one))}`,
		);
		try {
			writeFileSync(join(ssh.dir, "reason"), payload());
			const config = join(sandbox.home, ".config", "pi-grove");
			mkdirSync(config, { recursive: true });
			writeFileSync(
				join(config, "places.json"),
				JSON.stringify([
					{ name: "mini", ssh: "mini" },
					{ name: "rack", ssh: "rack" },
				]),
			);
			sandbox.session({ project: "work", age: 1, messages: [{ role: "user", text: "Here" }] });
			const env = { XDG_CONFIG_HOME: join(sandbox.home, ".config"), PATH: ssh.options.env?.PATH };
			const terminal = sandbox.start([], { columns: 160, rows: 40, env });
			await terminal.waitFor("Here");
			terminal.type("place:mini ");
			await terminal.waitFor(/[234] of \d|\d\/3/);
			for (let count = 0; count < 3; count++) {
				const keys = one.pick(KEYS);
				terminal.press(...keys);
				const drawn = terminal.written.length;
				// A new size draws everything anew, after what was pressed.
				terminal.resize(one.pick([160, 120, 80]), 30 + count);
				await terminal.waitFor(() => terminal.written.length > drawn);
				expect(foreignIn(terminal.written), keys.join(" ")).toBeUndefined();
				terminal.press("escape", "down");
			}
			expect(terminal.hasExited).toBe(false);
			return 3;
		} finally {
			sandbox.remove();
		}
	},
);

/** A server that lists three sessions, and says payloads wherever a text is. */
function hostSaying(payload: () => string, { random }: AttackCase): string {
	const rows = [1, 2, 3].map((index) => {
		const path = `/s/${index}${payload().replace(/[\n\r]/g, "")}.jsonl`;
		const text = lines(
			JSON.stringify({ type: "session", version: 3, id: payload(), timestamp: payload(), cwd: payload() }),
			user(`a${payload()}`, null, 1, payload()),
		);
		return {
			row: {
				path,
				id: random() < 0.5 ? `id${index}` : payload(),
				cwd: payload(),
				name: random() < 0.5 ? undefined : payload(),
				firstMessage: payload(),
				parentSession: payload(),
				size: Buffer.byteLength(text),
				diagnostics: [{ code: "bad-line", severity: "damage", line: 1, message: payload() }],
			},
			text,
			counts: {
				turns: 1,
				branches: 0,
				errors: 1,
				tokens: 1,
				cost: 1,
				labels: 0,
				model: payload(),
				ending: payload(),
				endedMs: 1,
			},
		};
	});
	return `
		const all = ${JSON.stringify(rows)};
		on.list = (id) => {
			send({ id, err: Buffer.from(${JSON.stringify(payload())}).toString("latin1") });
			list(id, ...all.map(({ row: fields, counts }) => ({ ...row(fields), counts, live: true })));
		};
		on.show = (id, args) => {
			for (const { row, text } of all) if (args.includes(row.path)) out(id, text);
			end(id);
		};
		on.search = (id) => {
			send({ id, err: Buffer.from(${JSON.stringify(payload())}).toString("latin1") });
			end(id, 2);
		};
		on.stats = (id) => list(id);`;
}
