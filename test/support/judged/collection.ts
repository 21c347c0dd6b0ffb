import { PlannedSession } from "./planned-session.ts";

/** Sessions of half a year in several projects, written like real work: the same words stand in many of them. */
export function plannedSessions(home: string, now: number): PlannedSession[] {
	const all: PlannedSession[] = [];
	const begin = (project: string, daysAgo: number, name?: string): PlannedSession => {
		const number = `7${String(all.length + 1).padStart(2, "0")}`;
		const session = new PlannedSession(number, home, now, {
			project,
			daysAgo,
			...(name === undefined ? {} : { name }),
		});
		all.push(session);
		return session;
	};

	// 701
	begin("work/shop", 2, "Checkout redesign")
		.you("ask", "Rebuild the checkout as three steps: address, payment, review. Keep the Stripe elements we have.")
		.read("page", "src/pages/checkout.tsx", "export function Checkout() {\n\treturn <OnePage />;\n}")
		.answer("plan", "I would keep the cart in the URL, so that a reload in the payment step loses nothing.")
		.edit("split", "src/pages/checkout.tsx", "<OnePage />", "<Steps of={[Address, Payment, Review]} />")
		.run(
			"e2e",
			"cd ~/work/shop && npx playwright test checkout",
			"1 failed\n  TimeoutError: locator.fill: waiting for getByLabel('Postcode')",
		)
		.answer("postcode", "The postcode field only appears once a country is chosen; the test has to choose one first.")
		.you("guest", "And guests? They have no saved address and must not be asked to log in.")
		.answer("guestdone", "Guests get the same three steps with an empty address book.");

	// 702
	begin("work/shop", 9)
		.you("ask", "Webhooks from Stripe answer 400 since the upgrade. Signature verification fails.")
		.run(
			"listen",
			"stripe listen --forward-to localhost:3000/hooks",
			"--> checkout.session.completed\n<-- [400] POST http://localhost:3000/hooks",
		)
		.read("hook", "src/api/hooks.ts", "app.use(express.json());\napp.post('/hooks', verify);")
		.answer(
			"raw",
			"The body is parsed before the signature is computed. Stripe signs the raw bytes, so `express.raw` must come first.",
		)
		.edit("fix", "src/api/hooks.ts", "app.use(express.json());", "app.use('/hooks', express.raw({ type: '*/*' }));")
		.run("again", "stripe trigger checkout.session.completed", "<-- [200] POST http://localhost:3000/hooks")
		.you("replay", "Can we replay the events of the weekend that got lost?")
		.answer("resend", "Yes: `stripe events resend` for each id; I made a list of the 37 that failed.");

	// 703
	begin("work/shop", 40)
		.you("ask", "Prices are off by one cent on some invoices. Find out where we round.")
		.run(
			"grep",
			"rg -n 'Math.round|toFixed' src",
			"src/cart/total.ts:12: toFixed(2)\nsrc/tax/vat.ts:8: Math.round(net * 19)",
		)
		.answer("twice", "VAT is rounded per line and again on the sum. The law wants one rounding, on the sum.")
		.edit("cents", "src/cart/total.ts", "toFixed(2)", "sumOfCents(lines)")
		.you("old", "What about invoices that were already sent?")
		.answer("keepold", "They keep their totals: a stored invoice is a document and must not be computed again.");

	// 704
	begin("work/shop", 75)
		.you("ask", "Image upload of products is slow for the people in the warehouse, 20 s for each photo.")
		.answer("why", "Phones send 12 megapixels. Resizing in the browser before the upload saves nine tenths.")
		.write(
			"resize",
			"src/upload/shrink.ts",
			"export async function shrink(file: File): Promise<Blob> {\n\tconst bitmap = await createImageBitmap(file);\n}",
		)
		.you("heic", "iPhones send HEIC. Does that work?")
		.answer(
			"heicno",
			"Only Safari decodes HEIC. Elsewhere I send the original and let sharp convert it on the server.",
		);

	// 705
	begin("work/api", 3, "Retry storm after the outage")
		.you("ask", "After the outage all clients came back at once and killed the database. Make them back off.")
		.answer(
			"jitter",
			"Exponential backoff alone keeps them in step. Full jitter spreads them: a random wait up to the limit.",
		)
		.edit("code", "src/http/backoff.ts", "2 ** attempt", "Math.random() * 2 ** attempt")
		.run("load", "k6 run load/storm.js", "http_req_failed: 0.4%\np(95)=212ms")
		.you("cap", "Cap it at thirty seconds, the mobile team asked for that.")
		.answer("capped", "Capped at 30 s, with a test that draws a thousand waits.");

	// 706
	begin("work/api", 5)
		.you("ask", "Deadlocks in production since Tuesday. Here is what Postgres logged.")
		.bang(
			"log",
			"grep -A3 deadlock /var/log/postgres.log",
			"ERROR: deadlock detected\nDETAIL: Process 4711 waits for ShareLock on transaction 99",
		)
		.answer(
			"order",
			"Two jobs update the same accounts in opposite order. Sort the ids before locking.",
			"maybe advisory locks would do, but they hide the order problem",
		)
		.edit("sort", "src/jobs/settle.ts", "for (const id of ids)", "for (const id of ids.toSorted())")
		.run("test", "npm test -- settle", "PASS test/settle.test.ts (6 tests)")
		.you("others", "Are there other places that lock more than one row?")
		.run("places", "rg -n 'FOR UPDATE' src", "src/jobs/payout.ts:30\nsrc/jobs/merge.ts:14")
		.answer("merge", "merge.ts has the same bug: it locks the survivor last.");

	// 707
	begin("work/api", 12)
		.you("ask", "Move login from sessions to JWT? What would we lose?")
		.answer("revoke", "Revocation. A stolen token stays valid until it expires; with sessions you delete a row.")
		.you("stay", "Then we stay with cookies. Just shorten the lifetime to a week.")
		.edit("ttl", "src/auth/session.ts", "maxAge: 90 * DAY", "maxAge: 7 * DAY")
		.answer("sliding", "A week, and it slides: every request renews it.");

	// 708
	begin("work/api", 20, "Rate limits per customer")
		.you("ask", "One customer sends half of all requests. We need limits per key.")
		.answer("bucket", "A token bucket in Redis, in one Lua script so that it is atomic.")
		.write("lua", "src/limits/bucket.lua", "local tokens = redis.call('GET', KEYS[1])")
		.answer("memory", "Rejected in-memory counters: four processes would allow four times as much.")
		.you("headers", "Tell them how many they have left.")
		.answer("ratelimit", "`RateLimit-Remaining` and `RateLimit-Reset` are on each response now.");

	// 709
	begin("work/api", 33)
		.you("ask", "The migration of the orders table locks it for minutes. How do others do that?")
		.answer(
			"steps",
			"Add the column without a default, fill it in batches of 5,000, then set NOT NULL with a validated constraint.",
		)
		.write("sql", "migrations/0042_order_region.sql", "ALTER TABLE orders ADD COLUMN region text;")
		.run("time", "psql -f migrations/0042_order_region.sql", "ALTER TABLE\nTime: 4.112 ms")
		.you("batch", "And the filling, how long will it take on forty million rows?")
		.answer("hours", "About three hours with a pause of 50 ms between batches; nobody will notice.");

	// 710
	begin("work/api", 60)
		.you("ask", "Write an OpenAPI description of our public endpoints.")
		.write("spec", "docs/openapi.yaml", "openapi: 3.1.0\npaths:\n  /orders:\n    get:")
		.run("lint", "npx spectral lint docs/openapi.yaml", "12 problems (0 errors, 12 warnings)\n operation-description")
		.answer(
			"done",
			"It lints without errors. The warnings are missing descriptions, which I would rather have you write.",
		)
		.you("version", "How do we version it?")
		.answer("date", "By date in a header, as Stripe does: an account is pinned to the version of its first call.");

	// 711
	begin("work/api", 100)
		.you("ask", "Customers in Sydney see yesterday's date on their receipts.")
		.run("tz", "rg -n 'getDate\\(|toLocaleDate' src/receipts", "src/receipts/render.ts:19: date.getDate()")
		.answer("utc", "The server formats in UTC. A receipt must use the time zone of the shop, not of the server.")
		.edit("zone", "src/receipts/render.ts", "date.getDate()", "formatIn(date, shop.timeZone)")
		.answer("dst", "I also added the night on which daylight saving ends, where an hour comes twice.");

	// 712
	begin("work/api", 150)
		.you("ask", "Memory of the worker grows by 50 MB an hour until it is killed.")
		.run("heap", "node --inspect dist/worker.js", "Debugger listening on ws://127.0.0.1:9229")
		.answer(
			"listeners",
			"Each job adds an `abort` listener to the same signal and none removes it: 80,000 of them in the snapshot.",
		)
		.edit(
			"once",
			"src/worker/loop.ts",
			"signal.addEventListener('abort', stop)",
			"signal.addEventListener('abort', stop, { once: true })",
		)
		.run("soak", "node scripts/soak.mjs --hours 2", "rss 212 MB .. 215 MB");

	// 713
	begin("work/infra", 1, "Cluster upgrade to 1.31")
		.you("ask", "Upgrade the staging cluster to Kubernetes 1.31. What breaks?")
		.run(
			"deprecated",
			"pluto detect-files -d k8s",
			"NAME   KIND                VERSION\ncron   FlowSchema   flowcontrol.apiserver.k8s.io/v1beta3",
		)
		.answer("flow", "Only the FlowSchema; the API moved to v1.")
		.edit("yaml", "k8s/flow.yaml", "v1beta3", "v1")
		.run("nodes", "kubectl get nodes", "NAME   STATUS   VERSION\nnode-1 Ready v1.31.2\nnode-2 NotReady v1.30.6")
		.answer("drain", "node-2 hangs in the drain because a pod disruption budget allows no eviction.")
		.you("force", "Scale that deployment to two and drain again, do not force it.")
		.answer("ready", "Both nodes are on 1.31.2.")
		.label("ready", "upgrade done");

	// 714
	begin("work/infra", 8)
		.you("ask", "Terraform wants to destroy the production database because I renamed the module!")
		.run(
			"plan",
			"cd ~/work/infra/prod-eu && terraform plan",
			"# aws_db_instance.main must be replaced\nPlan: 1 to add, 0 to change, 1 to destroy.",
		)
		.answer("moved", "Nothing has happened yet. A `moved` block tells it that it is the same thing under a new name.")
		.write("block", "prod-eu/moved.tf", "moved {\n  from = module.db\n  to   = module.postgres\n}")
		.run(
			"replan",
			"cd ~/work/infra/prod-eu && terraform plan",
			"No changes. Your infrastructure matches the configuration.",
		)
		.you("guard", "Never again. Protect it.")
		.answer("prevent", "`prevent_destroy` and deletion protection are on for both databases.");

	// 715
	begin("work/infra", 25)
		.you("ask", "Certificates expired on Sunday and nobody was paged. Why?")
		.run(
			"cert",
			"kubectl describe certificate shop-tls",
			"Reason: DNS01 challenge: AccessDenied: route53:ChangeResourceRecordSets",
		)
		.answer("iam", "cert-manager lost the right to change the DNS zone when the role was cleaned up in June.")
		.write(
			"alert",
			"alerts/certificates.yaml",
			"expr: certmanager_certificate_expiration_timestamp_seconds - time() < 14 * 86400",
		)
		.answer("paged", "From now on the on-call is paged fourteen days before one expires.");

	// 716
	begin("work/infra", 55)
		.you("ask", "CI takes 18 minutes. Where does the time go?")
		.run("timing", "gh run view 8812 --json jobs", "install 4m10s\nlint 1m02s\nunit 3m30s\ne2e 9m05s")
		.answer(
			"shard",
			"Four shards for the browser tests, and the install from a cache keyed by the lockfile: six minutes.",
		)
		.edit("workflow", ".github/workflows/ci.yml", "npm ci", "npm ci --prefer-offline")
		.you("flaky", "The shards fail at random, always the same two tests.")
		.answer("port", "Both start a server on port 4100. I let the system choose a free one.");

	// 717
	begin("work/infra", 90)
		.you("ask", "Backups: prove that we can restore one.")
		.run(
			"restore",
			"pg_restore --dbname=drill latest.dump",
			'pg_restore: error: could not execute query: ERROR: extension "pgcrypto" is not available',
		)
		.answer("extension", "The dump needs pgcrypto, which the drill image lacks.")
		.edit(
			"image",
			"drill/Dockerfile",
			"FROM postgres:16",
			"FROM postgres:16\nRUN apt-get install -y postgresql-contrib",
		)
		.run("counted", "psql drill -c 'select count(*) from orders'", " 40211873")
		.answer("weekly", "A restore takes 52 minutes. It now runs every Monday and mails the row counts.");

	// 718
	begin("lab/tracker", 4, "Offline mode for the habit tracker")
		.you("ask", "The app should work on the train: no connection, and sync later.")
		.answer(
			"crdt",
			"For one person on two devices last-writer-wins per field is enough; a CRDT would be more than you need.",
		)
		.write("queue", "src/sync/outbox.ts", "export class Outbox {\n\tpush(change: Change): void {}\n}")
		.you("conflict", "What if I tick a habit on both devices?")
		.answer("tick", "Ticks are a set of days, and sets merge without conflict.")
		.run("test", "npm test -- outbox", "FAIL test/outbox.test.ts\n  expected 2 changes, received 3")
		.answer("dup", "A change was sent twice because the acknowledgement got lost; it needs an id.");

	// 719
	begin("lab/tracker", 30)
		.you("ask", "Draw the streaks as a calendar, like the green squares on GitHub.")
		.write("heat", "src/ui/heatmap.svelte", "<svg viewBox='0 0 53 7'>{#each days as day}<rect />{/each}</svg>")
		.answer("colors", "Five shades, chosen so that they differ for color-blind people too.")
		.you("monday", "Weeks begin on Monday here.")
		.answer(
			"intl",
			"`Intl.Locale.prototype.getWeekInfo` knows that; Firefox does not have it yet, so there is a table.",
		);

	// 720
	begin("lab/tracker", 120)
		.you("ask", "Export my habits as CSV so that I can look at them in a spreadsheet.")
		.write(
			"csv",
			"src/export/csv.ts",
			"export const toCsv = (rows: Row[]) => rows.map((row) => row.join(';')).join('\\r\\n');",
		)
		.answer(
			"semicolon",
			"Semicolons, because Excel in Europe takes a comma for a decimal sign, and a BOM so that umlauts survive.",
		)
		.you("ok", "perfect");

	// 721
	begin("lab/garden", 6)
		.you("ask", "The soil sensor reports 100% moisture since the rain. Broken or wet?")
		.run("serial", "cat /dev/ttyUSB0 | head -5", "adc=4095\nadc=4095\nadc=4095")
		.answer("short", "4095 is the end of the scale: the probe is shorted, probably water in the plug.")
		.you("dry", "Dried it, now it jumps between 20 and 60.")
		.answer("median", "Take the median of nine readings; single ones are noise from the pump.")
		.edit("filter", "firmware/soil.cpp", "return analogRead(A0);", "return medianOf(9, A0);");

	// 722
	begin("lab/garden", 45)
		.you("ask", "Water the tomatoes at dawn only when no rain is forecast.")
		.run(
			"weather",
			"curl -s 'https://api.open-meteo.com/v1/forecast?daily=precipitation_sum'",
			'{"daily":{"precipitation_sum":[0.0,4.2,11.8]}}',
		)
		.write("rule", "rules/tomatoes.lua", "if forecast.precipitation_sum < 2 then pump.on(90) end")
		.answer("dawn", "It waters 90 seconds at sunrise unless two millimeters or more are expected.");

	// 723
	begin("notes", 7, "Talk: what we learned from the outage")
		.you("ask", "Help me outline a talk about our outage in October for the meetup, 20 minutes, no blame.")
		.answer(
			"outline",
			"1. The quiet alarm. 2. Forty minutes of guessing. 3. The retry storm. 4. What we changed, and what we left alone.",
		)
		.you("opening", "I want to begin with the phone call at three in the morning.")
		.answer("call", "Good: begin in the dark, and say only on the last slide who called.")
		.you("title", "Three titles, none of them funny.")
		.answer("titles", "“The Quiet Alarm”, “Forty Minutes”, “Everyone Came Back at Once”.");

	// 724
	begin("notes", 22)
		.you("ask", "Explain the difference between optimistic and pessimistic locking as for a new colleague.")
		.answer(
			"library",
			"Pessimistic: you take the book out of the library. Optimistic: you copy it, and check before you return notes whether the edition changed.",
		)
		.you("when", "When would you take which?")
		.answer("rare", "Optimistic where conflicts are rare, and the work can be done again.");

	// 725
	begin("notes", 70)
		.you("ask", "Draft a mail to the landlord: heating broken since Friday, third time this winter.")
		.answer("mail", "Dear Ms Brandt, since Friday the radiators in all three rooms have been cold …")
		.you("firmer", "Firmer, with a deadline, and mention the rent reduction.")
		.answer("deadline", "… I ask you to have it repaired by the 14th. Until then I shall pay 20 % less rent.");

	// 726
	begin("work/mobile", 10, "Crash on Android 14")
		.you("ask", "The app crashes on Android 14 when the camera opens. Only release builds.")
		.run(
			"logcat",
			"adb logcat -d | grep -i fatal",
			"FATAL EXCEPTION: main\njava.lang.SecurityException: Starting FGS with type camera",
		)
		.answer("fgs", "Android 14 wants the type of a foreground service in the manifest, with the permission for it.")
		.edit(
			"manifest",
			"android/app/src/main/AndroidManifest.xml",
			"<service android:name='.Scan'",
			"<service android:foregroundServiceType='camera' android:name='.Scan'",
		)
		.you("proguard", "Why only in release?")
		.answer("shrunk", "The debug build targets SDK 33; only the release variant was raised to 34.");

	// 727
	begin("work/mobile", 28)
		.you("ask", "Push notifications arrive twice on iOS.")
		.answer("tokens", "After a reinstall the old device token stays registered, so the server sends to both.")
		.edit("unregister", "server/push.ts", "tokens.add(token)", "tokens.replace(device, token)")
		.you("clean", "Clean up those we have.")
		.run("cleanup", "node scripts/prune-tokens.mjs --dry-run", "would remove 18,204 of 61,377 tokens")
		.answer("apns", "APNs answers 410 for the dead ones; the job removes them as it meets them.");

	// 728
	begin("work/mobile", 80, "Barcode scanner")
		.you("ask", "Scan barcodes in bad light, warehouse staff complains.")
		.answer("torch", "Turn the torch on below 10 lux, and look only at the middle third of the picture.")
		.you("zxing", "Try zxing first, it is free.")
		.run("bench", "npm run bench:scan -- --lib zxing", "decoded 61 of 100, median 340 ms")
		.answer("slow", "zxing reads 61 of 100 in 340 ms.")
		.label("zxing", "dead end")
		.from("torch", { key: "tried", text: "Tried zxing: 61 of 100 decoded, too slow on old phones. ML Kit is next." })
		.you("mlkit", "Then ML Kit.")
		.run("benchml", "npm run bench:scan -- --lib mlkit", "decoded 97 of 100, median 45 ms")
		.answer("fast", "97 of 100 in 45 ms. It adds 2.4 MB to the app.");

	// 729
	begin("work/search", 14)
		.you("ask", "Searching for “running shoes” does not find “shoe for runners”. Stemming?")
		.answer("stem", "A stemmer maps both to run and shoe. Postgres has one: `to_tsvector('english', …)`.")
		.edit("index", "src/indexer.ts", "to_tsvector('simple', title)", "to_tsvector('english', title)")
		.run("reindex", "npm run reindex", "indexed 412,000 products in 3m12s")
		.you("brands", "Now the brand “Nikes” is stemmed too, and people search for it by name.")
		.answer("weights", "Brands go into a second vector without stemming, with a higher weight.");

	// 730
	begin("work/search", 35)
		.you("ask", "Typos: “adidsa” should find adidas.")
		.answer("trigram", "pg_trgm compares groups of three letters; similarity above 0.4 is a good guess.")
		.run(
			"explain",
			"psql -c \"explain analyze select name from brands where name % 'adidsa'\"",
			"Bitmap Index Scan on brands_trgm (actual time=0.9..1.1)",
		)
		.answer("gin", "With a GIN index it takes one millisecond.")
		.you("suggest", "Show it as “did you mean”, do not replace what they typed.")
		.answer("mean", "It is a line above the results now, and a click searches for it.");

	// 731
	begin("work/search", 130)
		.you("ask", "Measure how good our results are, not only how fast.")
		.answer("ndcg", "Fifty queries with judged products, scored by nDCG at ten. Today: 0.61.")
		.write("judge", "eval/judged.csv", "query,product,grade\nrain jacket,8123,3")
		.you("who", "Who judges?")
		.answer("people", "Two people from sales, each pair twice; where they differ, a third.")
		.compaction("sofar", "An evaluation with fifty judged queries exists; nDCG 0.61; next is the weight of the title.")
		.you("weight", "Raise the weight of the title and run it again.")
		.run("eval", "npm run eval", "nDCG@10 0.68 (+0.07)")
		.answer("better", "0.68. Synonyms would be the next step.");

	// 732
	begin("work/api", 0.5, "Release notes 2.8")
		.you("ask", "Write the release notes for 2.8 from the log.")
		.run(
			"log",
			"cd ~/work/api && git log --format=%s v2.7..",
			"Cap the wait\nCookies live a week\nReplay lost events\nFix deadlock in settle\nRetry storm: full jitter",
		)
		.answer(
			"notes",
			"- Clients wait at most thirty seconds (the cap).\n- Cookies live for a week.\n- Guests can pay.\n- Responses say how many requests are left.\n- Lost events can be replayed.",
		)
		.answer("shorter", "I left out what customers do not see: locks, batches, and the certificates.");

	// 733
	begin("work/shop", 0.2)
		.you("ask", "Which files does nobody import any more? Delete them.")
		.run(
			"unused",
			"cd ~/work/shop && rg -l 'guest|postcode|heic|replay' src | xargs npx knip",
			"src/upload/heic.ts\nsrc/jobs/replay.ts",
		)
		.read("heic", "src/upload/heic.ts", "export const decode = undefined;")
		.read("guests", "src/guests/index.ts", "export {};")
		.run("gone", "git rm src/upload/heic.ts src/guests/index.ts src/brands/old.ts", "rm 'src/upload/heic.ts'")
		.answer("done", "Three files are gone; the build is 4 kB smaller.");

	// 734
	begin("work/oauth", 16, "OAuth refresh")
		.you("ask", "People are thrown out after an hour. Why does nothing renew their token?")
		.run("find", 'cd ~/work/oauth && rg -n "refresh" src | head -5', "src/auth/refresh.ts:3\nsrc/auth/index.ts:40")
		.read("file", "src/auth/refresh.ts", "export async function refresh() {}")
		.answer("why", "The refresh token is stored, but the timer that should use it starts only after a reload.")
		.edit("timer", "src/auth/index.ts", "onReload(refresh)", "onLogin(refresh)")
		.you("tabs", "With two tabs open both renew, and the second one gets an error.")
		.answer("lock", "`navigator.locks` lets one tab renew; the other takes its result.");

	// 735
	begin("work/api", 18)
		.you("ask", "Send the newsletter to 80,000 people without slowing down the app.")
		.answer("ways", "A batch job, a queue, or a service that does nothing else.")
		.you("first", "Put the mails into a queue table.")
		.write("table", "migrations/0043_mails.sql", "CREATE TABLE mails (id bigserial);")
		.answer("million", "80,000 rows for each newsletter: that is a million a month, only to be deleted.")
		.from("ways", { key: "tried", text: "One row for each mail was too many rows." })
		.you("second", "Put the mails into a queue table, but one row for each hundred of them.")
		.answer("hundred", "800 rows, and a worker that takes one at a time.");

	// 736
	begin("work/infra", 11)
		.you("ask", "Staging is slow since this morning.")
		.run("top", "kubectl top pods", "NAME CPU\ncache-0 998m")
		.answer(
			"cache",
			"The cache evicts all the time: its memory limit was halved in the last deployment.",
			"could also be the noisy neighbour, or the drain of node-2 that somebody forced",
		)
		.edit("limit", "k8s/cache.yaml", "memory: 256Mi", "memory: 512Mi")
		.you("who", "Who halved it, and why?")
		.run("blame", "git log -S 256Mi -- k8s/cache.yaml", "8c1f2aa Save money: halve what is not used")
		.answer("money", "The commit wanted to save money, and looked at a Sunday.");

	// 737
	begin("lab/tracker", 13)
		.you("ask", "Translate the app to German.")
		.write("de", "src/locale/de.json", '{"streak": "Serie", "habit": "Gewohnheit", "week": "Woche"}')
		.run("missing", "node scripts/missing.mjs de", "missing: calendar.monday, sync.conflict, export.spreadsheet")
		.answer("three", "Three texts are missing; two of them are plurals.")
		.you("plural", "How do we do plurals?")
		.answer("icu", "`Intl.PluralRules` picks the form; German has two, Polish would have four.");

	return all;
}
