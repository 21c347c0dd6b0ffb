import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionsElsewhere } from "../../../src/catalog/scan/session-elsewhere.ts";
import { header, lines } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** A line of `/proc/self/mounts`. */
function mount(at: string, type: string): string {
	return `server:/x ${at.replaceAll(" ", "\\040")} ${type} rw,relatime 0 0\n`;
}

const LOCAL = mount("/", "ext4");

test("nothing is looked at that is on another machine, whichever way leads there", () => {
	const base = tempDir();
	const far = join(base, "far away");
	mkdirSync(join(far, "deep"), { recursive: true });
	writeFileSync(join(far, "deep/x.jsonl"), lines(header()));
	symlinkSync(far, join(base, "link"));
	symlinkSync("link/deep", join(base, "relative"));
	symlinkSync("circle", join(base, "circle"));
	const paths = ["far away/deep/x.jsonl", "link/deep/x.jsonl", "relative/x.jsonl"].map((name) => join(base, name));
	for (const type of ["nfs4", "cifs", "fuse.sshfs", "9p", "autofs"]) {
		const elsewhere = new SessionsElsewhere("/home/me/sessions", LOCAL + mount(far, type));
		for (const path of paths)
			expect([path, elsewhere.stampOf(path), elsewhere.isSession(path)]).toEqual([path, "far", false]);
		expect(elsewhere.isSession(join(base, "circle/x.jsonl"))).toBe(false);
	}
	for (const mounts of [LOCAL, LOCAL + mount(far, "xfs"), LOCAL + mount(far, "fuseblk")])
		for (const path of paths) expect(new SessionsElsewhere("/home/me/sessions", mounts).isSession(path)).toBe(true);
	// Where the sessions are is looked at anyway.
	const beside = new SessionsElsewhere(join(far, "sessions"), LOCAL + mount(far, "nfs4"));
	expect(beside.isSession(join(far, "deep/x.jsonl"))).toBe(true);
});

test("on macOS what is mounted tells itself whether it is local; a share of Windows never is", () => {
	const base = tempDir();
	const names = ["My disk", "local share", "far", "home"];
	const [disk = "", share = "", far = "", home = ""] = names.map((name) => join(base, name));
	for (const name of names) {
		mkdirSync(join(base, name));
		writeFileSync(join(base, name, "x.jsonl"), lines(header()));
	}
	// As `mount` prints it.
	const table = [
		"/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)",
		`map auto_home on ${home} (autofs, automounted, nobrowse)`,
		`/dev/disk4s1 on ${disk} (apfs, local, nodev, nosuid, journaled, noowners)`,
		`//ada@nas._smb._tcp.local/share on ${share} (smbfs, nodev, nosuid, mounted by ada)`,
		`sshfs@macfuse0 on ${far} (macfuse, nodev, nosuid, synchronous, mounted by ada)`,
	].join("\n");
	const nearFrom = (root: string): string[] =>
		names.filter((name) => new SessionsElsewhere(root, table).isSession(join(base, name, "x.jsonl")));
	expect(nearFrom("/Users/ada/sessions")).toEqual(["My disk"]);
	expect(nearFrom(join(far, "sessions"))).toEqual(["My disk", "far"]);

	const windows = new SessionsElsewhere("C:\\sessions", "");
	expect(windows.isNear("\\\\server\\share\\x.jsonl")).toBe(false);
	expect(windows.isNear("D:\\x.jsonl")).toBe(true);
	const onShare = new SessionsElsewhere("\\\\server\\share\\sessions", "");
	expect(onShare.isNear("\\\\server\\share\\x.jsonl")).toBe(true);
	expect(onShare.isNear("\\\\other\\share\\x.jsonl")).toBe(false);
});

test("a path must be absolute, without detours, and end as that of a session", () => {
	const base = tempDir();
	mkdirSync(join(base, "a"));
	for (const name of ["x.jsonl", "x.txt"]) writeFileSync(join(base, name), lines(header()));
	const elsewhere = new SessionsElsewhere("/");
	expect(elsewhere.isSession(join(base, "x.jsonl"))).toBe(true);
	for (const path of [
		`${base}/a/../x.jsonl`,
		`${base}//x.jsonl`,
		"x.jsonl",
		`${base}/x.txt`,
		`${base}/x.jsonl\0.jsonl`,
		`${base}/${"x".repeat(5000)}.jsonl`,
		"",
	])
		expect([path, elsewhere.isSession(path)]).toEqual([path, false]);
});
