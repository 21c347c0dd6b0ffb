/** A process that does one writing and is killed before its n-th system call (0: never). Prints the number of calls. */
import { faultyFileSystem, shortWrites } from "../../support/faulty-file-system.ts";
import { writings } from "../../support/writings.ts";

const [name = "", path = "", killBefore = "0", kind = ""] = process.argv.slice(2);
const counter = { calls: 0 };
const fs = faultyFileSystem((_, count) => {
	if (count === Number(killBefore)) process.kill(process.pid, "SIGKILL");
}, counter);
writings[name]?.write(path, kind === "short" ? shortWrites(fs) : fs);
process.stdout.write(String(counter.calls));
