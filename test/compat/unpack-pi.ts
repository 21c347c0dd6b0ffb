/**
 * Unpacks several versions of pi beside the pi that `npm ci` installs: the bundle of each needs few other packages, which
 * are those of the installed one, and for the types of the newest only the two packages that have them are unpacked too: in
 * version 1.5.2, since the registry has no later ones.
 * (As dependencies they would bring 170 MB of clients of model providers each.) What was unpacked before is left as it is;
 * another version or other bytes are an error.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The sha512 of each package by version, as `npm view <package>@<version> dist.integrity` prints it. */
const PACKAGES: readonly (readonly [version: string, name: string, sha512: string])[] = [
	[
		"0.99.1",
		"@earendil-works/pi-coding-agent",
		"cWUrTOqA5M73cOYMgsh9PlhDrsBhavd+n5kVY6F7BGbGl1RjqCteVCoeVMVqhngoGACVDyw1tbLjajL8l9jrHg==",
	],
	[
		"1.0.3",
		"@earendil-works/pi-coding-agent",
		"t2lb0dw4y/jr5a2PRo6eTHGTZOPB3/YAMVyhhYFC1W3Hl5xE+462I/gMWjF4gCLuhGipNEfuNqONFmdqLFz4SQ==",
	],
	[
		"1.3.0",
		"@earendil-works/pi-coding-agent",
		"V/WoCjA2hQSe3QLWIUB24cTRdtEdeLiIzkDqU5RMXV6VWuD+KGZnzVBMhglwdnQTySkehZsjt8a3g6Jd2g4nnw==",
	],
	[
		"1.4.0",
		"@earendil-works/pi-coding-agent",
		"Z41LpZ3yYHSC/UUps6Mr39UMFPwH8elhJBG9DY1P7kuzsE5qSK/6eMj2EHzO5evJRQWLbKSqUMw+4nCNtIyiQg==",
	],
	[
		"1.5.0",
		"@earendil-works/pi-coding-agent",
		"xNDZ5kqowO6Z03FS2gwAkPEGk1ssxVcYKQ6qZId84mFEvwACvvyc2l0vAMOS+c5zvxLRMLBE9r4y44IGYkMJaQ==",
	],
	[
		"1.5.2",
		"@earendil-works/pi-coding-agent",
		"mUWI04rqF1Vd/m1q+Ps1XeWsTXEVvRUnsmRa83I3Dzua0Tx5bYS93imeqtIfrXf7PkkaR6ERz+AuQhIJlom5yA==",
	],
	[
		"1.6.0",
		"@earendil-works/pi-coding-agent",
		"zX1BVEsshx7A2MRuQ6jfr3RJGWw4Wn+vLq5ZfmlvS1RskhRmByaSZVXH/zcwRrWHO7qPgs98pNCbPOEti/t0fQ==",
	],
	[
		"1.5.2",
		"@earendil-works/pi-ai",
		"2tWPSnV3qzfiDIY3aWluBag3vC++Vs+VsXt/UquSU5onPMohPih72FUhIhaqmDdMYubOgB3Byl9uF4Vk40JLvQ==",
	],
	[
		"1.5.2",
		"@earendil-works/pi-agent-core",
		"ie5mejS7mGfXt//9As7i3LfxVXdktZvF1JP4EQsUXTp4mU437h23MNGx7wXZ5VYs3YiG/Qnj3e7OZ2HC069OMw==",
	],
];

/** Where the other packages of a version are, if the registry has them only of an older one. */
const LENT: Readonly<Record<string, string>> = { "1.6.0": "1.5.2" };

/** npm as the script that runs this one was started with; `npm` itself is no program on Windows. */
function npm(...args: string[]): string {
	const path = process.env.npm_execpath;
	if (path === undefined) throw new Error("Run this with npm: npm run test:compat");
	return execFileSync(process.execPath, [path, ...args], { encoding: "utf8" });
}

function unpack(version: string, name: string, sha512: string): void {
	const target = join(import.meta.dirname, `pi-${version}/node_modules`);
	const path = join(target, name);
	const stamp = join(path, ".sha512");
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === sha512) return;
	mkdirSync(target, { recursive: true });
	const work = mkdtempSync(join(target, ".unpack-"));
	try {
		npm("pack", `${name}@${version}`, "--silent", "--pack-destination", work);
		const archive = `${name.slice(1).replace("/", "-")}-${version}.tgz`;
		const found = createHash("sha512")
			.update(readFileSync(join(work, archive)))
			.digest("base64");
		if (found !== sha512) throw new Error(`${name}@${version} has the sha512 ${found}, and ${sha512} was expected.`);
		execFileSync("tar", ["-xzf", archive], { cwd: work });
		writeFileSync(join(work, "package/.sha512"), sha512);
		rmSync(path, { recursive: true, force: true });
		mkdirSync(dirname(path), { recursive: true });
		renameSync(join(work, "package"), path);
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
}

for (const [version, name, sha512] of PACKAGES) unpack(version, name, sha512);
for (const [version, lender] of Object.entries(LENT)) {
	for (const name of ["pi-ai", "pi-agent-core"]) {
		const path = join(import.meta.dirname, `pi-${version}/node_modules/@earendil-works`, name);
		if (!existsSync(path)) cpSync(path.replace(`pi-${version}`, `pi-${lender}`), path, { recursive: true });
	}
}
