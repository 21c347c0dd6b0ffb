-- pi's sessions as views for DuckDB 1.4 or newer (https://duckdb.org). The session files are read where they are, on a disk, in a
-- mounted bucket or on S3: nothing is imported, nothing is written.
--
--   duckdb -init examples/duckdb.sql
--   D FROM cost_by_day_and_model;
--
-- The sessions of this home directory are read, unless the variable says otherwise (a list) before this file is loaded:
--
--   SET VARIABLE sessions = ['/srv/ada/**/*.jsonl', 's3://team/pi/**/*.jsonl'];
--
-- Each query reads all files. For many queries in a row, keep the entries first: CREATE TEMP TABLE kept AS FROM entries;
--
-- docs/format.md describes the lines. A line that is not JSON is left out, here as by pi; so is a file that does not begin with the
-- header of a session (artifacts of subagents). Errors are here the results that pi marks as such, also of a grep that found nothing.

SET VARIABLE sessions = coalesce(getvariable('sessions'), ['~/.pi/agent/sessions/**/*.jsonl']);
-- A longer line (an image is part of its line) is an error that asks for more; each thread of DuckDB needs twice as much memory.
SET VARIABLE max_line_bytes = coalesce(getvariable('max_line_bytes'), 16777216);

-- A number, or NULL: what other programs wrote may be of any type.
CREATE OR REPLACE MACRO number_at(value, path) AS
  CASE WHEN json_type(value, path) IN ('UBIGINT', 'BIGINT', 'DOUBLE') THEN CAST(json_extract(value, path) AS DOUBLE) END;

-- The text of a message: its content is a string, or a list of blocks.
CREATE OR REPLACE MACRO text_of(content) AS
  CASE json_type(content)
    WHEN 'VARCHAR' THEN content ->> '$'
    WHEN 'ARRAY' THEN nullif(array_to_string(list_filter(content ->> '$[*].text', lambda text: text IS NOT NULL), chr(10)), '')
  END;

-- `line` counts through all files; within one it is the order of its lines.
CREATE OR REPLACE VIEW lines AS
SELECT filename AS path, row_number() OVER () AS line, json
FROM read_ndjson_objects(
  getvariable('sessions'), filename = true, ignore_errors = true, maximum_object_size = getvariable('max_line_bytes')
)
WHERE json_type(json) = 'OBJECT';

CREATE OR REPLACE VIEW headers AS
SELECT
  path,
  json ->> '$.id' AS id,
  json ->> '$.cwd' AS cwd,
  TRY_CAST(json ->> '$.timestamp' AS TIMESTAMPTZ) AS started,
  json ->> '$.parentSession' AS parent_session
FROM (SELECT path, arg_min(json, line) AS json FROM lines GROUP BY path)
WHERE (json ->> '$.type') = 'session';

-- One row for each entry of each session; `message` is NULL for entries that are not messages.
CREATE OR REPLACE VIEW entries AS
SELECT
  path,
  line,
  headers.id AS session,
  headers.cwd,
  headers.started AS session_started,
  json ->> '$.id' AS id,
  json ->> '$.parentId' AS parent_id,
  json ->> '$.type' AS type,
  json ->> '$.message.role' AS role,
  TRY_CAST(json ->> '$.timestamp' AS TIMESTAMPTZ) AS time,
  coalesce(json ->> '$.message.model', json ->> '$.model') AS model,
  text_of(json -> '$.message.content') AS text,
  json -> '$.message' AS message,
  json
FROM lines
JOIN headers USING (path)
WHERE (json ->> '$.type') <> 'session';

-- What was paid for, each entry once: a fork has copies of its parent's entries.
CREATE OR REPLACE VIEW usage AS
WITH used AS (
  SELECT *, coalesce(message -> '$.usage', json -> '$.usage') AS usage
  FROM entries
  -- What a subagent used is in its own session. One without a session is missing here; `pi-grove stats` counts it.
  WHERE coalesce(message ->> '$.toolName', '') NOT IN ('subagent', 'Agent', 'bg_wait', 'subagent_wait', 'get_subagent_result')
)
SELECT
  path,
  line,
  session,
  cwd,
  id,
  time,
  coalesce(model, '(' || type || ')') AS model,
  greatest(coalesce(number_at(usage, '$.input'), 0), 0) AS input,
  greatest(coalesce(number_at(usage, '$.output'), 0), 0) AS output,
  greatest(coalesce(number_at(usage, '$.cacheRead'), 0), 0) AS cache_read,
  greatest(coalesce(number_at(usage, '$.cacheWrite'), 0), 0) AS cache_write,
  -- Some programs write -1 for a price that they do not know.
  greatest(coalesce(number_at(usage, '$.cost.total'), number_at(usage, '$.cost'), 0), 0) AS cost
FROM used
WHERE json_type(usage) = 'OBJECT'
-- It belongs to the session that began first. Entries of version 1 have no id.
QUALIFY row_number() OVER (
  PARTITION BY id, json ->> '$.timestamp', input, output, cache_read, cache_write, cost
  ORDER BY session_started, line
) = 1;

CREATE OR REPLACE VIEW sessions AS
WITH said AS (
  SELECT
    path,
    max(time) FILTER (role IN ('user', 'assistant')) AS last_active,
    count(*) FILTER (type = 'message') AS messages,
    count(*) FILTER (role = 'user') AS prompts,
    count(*) FILTER (role = 'toolResult' AND (message ->> '$.isError') = 'true') AS errors,
    arg_min(text, line) FILTER (role = 'user' AND text IS NOT NULL) AS first_prompt,
    -- A name that is not a string clears it, too.
    arg_max(if(json_type(json, '$.name') = 'VARCHAR', json ->> '$.name', ''), line) FILTER (type = 'session_info') AS name
  FROM entries
  GROUP BY path
),
paid AS (
  SELECT path, sum(cost) AS cost, sum(input + output + cache_read + cache_write) AS tokens FROM usage GROUP BY path
)
SELECT
  path, id, cwd, started, coalesce(last_active, started) AS last_active,
  nullif(trim(name), '') AS name, first_prompt,
  coalesce(messages, 0) AS messages, coalesce(prompts, 0) AS prompts, coalesce(errors, 0) AS errors,
  coalesce(tokens, 0) AS tokens, coalesce(cost, 0) AS cost, parent_session
FROM headers
LEFT JOIN said USING (path)
LEFT JOIN paid USING (path);

-- A turn is a prompt with everything up to the next one in the file, also where the conversation was branched.
CREATE OR REPLACE VIEW turns AS
WITH numbered AS (
  SELECT *, count(*) FILTER (role = 'user') OVER (PARTITION BY path ORDER BY line ROWS UNBOUNDED PRECEDING) AS turn
  FROM entries
  WHERE type = 'message'
),
paid AS (
  SELECT path, line, cost, input + output + cache_read + cache_write AS tokens FROM usage
)
SELECT
  path,
  any_value(session) AS session,
  any_value(cwd) AS cwd,
  turn,
  min(numbered.time) AS began,
  max(numbered.time) AS ended,
  any_value(text) FILTER (role = 'user') AS prompt,
  count(*) FILTER (role = 'assistant') AS answers,
  count(*) FILTER (role = 'toolResult') AS calls,
  count(*) FILTER (role = 'toolResult' AND (message ->> '$.isError') = 'true') AS errors,
  coalesce(sum(tokens), 0) AS tokens,
  coalesce(sum(cost), 0) AS cost
FROM numbered
LEFT JOIN paid USING (path, line)
WHERE turn > 0
GROUP BY path, turn;

CREATE OR REPLACE VIEW cost_by_day_and_model AS
SELECT
  CAST(time AS DATE) AS day,
  model,
  count(*) AS answers,
  CAST(sum(input + output + cache_read + cache_write) AS BIGINT) AS tokens,
  round(sum(cost), 4) AS cost
FROM usage
GROUP BY ALL
ORDER BY day DESC, cost DESC;

CREATE OR REPLACE VIEW calls AS
SELECT
  path, session, cwd, time, model,
  call ->> '$.id' AS call_id,
  call ->> '$.name' AS tool,
  call -> '$.arguments' AS arguments
FROM (
  SELECT *, unnest(json_extract(message, '$.content[*]')) AS call
  FROM entries
  WHERE role = 'assistant' AND json_type(message, '$.content') = 'ARRAY'
)
WHERE (call ->> '$.type') = 'toolCall';

-- The calls of tools that failed, with what was called and how it failed; a copy in a fork is not another failure.
CREATE OR REPLACE VIEW tool_errors AS
SELECT
  results.path, results.session, results.cwd, results.time,
  message ->> '$.toolName' AS tool,
  arguments,
  text AS error
FROM entries AS results
LEFT JOIN calls ON calls.path = results.path AND calls.call_id = (message ->> '$.toolCallId')
WHERE role = 'toolResult' AND (message ->> '$.isError') = 'true'
QUALIFY row_number() OVER (PARTITION BY id, results.time, message ->> '$.toolCallId' ORDER BY results.path) = 1
ORDER BY results.time DESC;

CREATE OR REPLACE VIEW tool_error_rates AS
WITH results AS (
  SELECT DISTINCT ON (id, time, message ->> '$.toolCallId')
    message ->> '$.toolName' AS tool,
    (message ->> '$.isError') = 'true' AS is_error
  FROM entries
  WHERE role = 'toolResult'
)
SELECT
  tool, count(*) AS calls, count(*) FILTER (is_error) AS errors,
  round(100 * count(*) FILTER (is_error) / count(*), 1) AS percent
FROM results
GROUP BY tool
ORDER BY errors DESC, calls DESC;
