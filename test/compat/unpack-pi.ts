/**
 * Unpacks pi 1.5.2 beside the pi that `npm ci` installs: its bundle needs no other package, and for its types only the
 * two packages that have them are unpacked too. (As a dependency it would bring 170 MB of clients of model providers.)
 * What was unpacked before is left as it is; another version or other bytes are an error.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const VERSION = "1.5.2";
/** The sha512 of each package, as `npm view <package>@1.5.2 dist.integrity` prints it. */
const PACKAGES = {
	"@earendil-works/pi-coding-agent":
		"mUWI04rqF1Vd/m1q+Ps1XeWsTXEVvRUnsmRa83I3Dzua0Tx5bYS93imeqtIfrXf7PkkaR6ERz+AuQhIJlom5yA==",
	"@earendil-works/pi-ai": "2tWPSnV3qzfiDIY3aWluBag3vC++Vs+VsXt/UquSU5onPMohPih72FUhIhaqmDdMYubOgB3Byl9uF4Vk40JLvQ==",
	"@earendil-works/pi-agent-core":
		"ie5mejS7mGfXt//9As7i3LfxVXdktZvF1JP4EQsUXTp4mU437h23MNGx7wXZ5VYs3YiG/Qnj3e7OZ2HC069OMw==",
};
const TARGET = join(import.meta.dirname, `pi-${VERSION}/node_modules`);

/** npm as the script that runs this one was started with; `npm` itself is no program on Windows. */
function npm(...args: string[]): string {
	const path = process.env.npm_execpath;
	if (path === undefined) throw new Error("Run this with npm: npm run test:compat");
	return execFileSync(process.execPath, [path, ...args], { encoding: "utf8" });
}

function unpack(name: string, sha512: string): void {
	const path = join(TARGET, name);
	const stamp = join(path, ".sha512");
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === sha512) return;
	mkdirSync(TARGET, { recursive: true });
	const work = mkdtempSync(join(TARGET, ".unpack-"));
	try {
		npm("pack", `${name}@${VERSION}`, "--silent", "--pack-destination", work);
		const archive = `${name.slice(1).replace("/", "-")}-${VERSION}.tgz`;
		const found = createHash("sha512")
			.update(readFileSync(join(work, archive)))
			.digest("base64");
		if (found !== sha512) throw new Error(`${name}@${VERSION} has the sha512 ${found}, and ${sha512} was expected.`);
		execFileSync("tar", ["-xzf", archive], { cwd: work });
		writeFileSync(join(work, "package/.sha512"), sha512);
		rmSync(path, { recursive: true, force: true });
		mkdirSync(dirname(path), { recursive: true });
		renameSync(join(work, "package"), path);
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
}

for (const [name, sha512] of Object.entries(PACKAGES)) unpack(name, sha512);
