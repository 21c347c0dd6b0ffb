/** A process that writes once and is killed before its n-th system call (0: never). Prints the number of calls. */
import { faultyFileSystem, shortWrites } from "../../support/faulty-file-system.ts";
import { WRITE_CASES } from "../../support/write-cases.ts";

const [name = "", path = "", killBefore = "0", kind = ""] = process.argv.slice(2);
const counter = { calls: 0 };
const fs = faultyFileSystem((_, count) => {
	if (count === Number(killBefore)) process.kill(process.pid, "SIGKILL");
}, counter);
WRITE_CASES[name]?.write(path, kind === "short" ? shortWrites(fs) : fs);
process.stdout.write(String(counter.calls));
