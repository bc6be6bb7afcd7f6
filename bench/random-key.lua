-- Every request takes a random key, so that no server can profit from having just answered the same one.
local keys = {}
for line in io.lines(os.getenv("KEYS")) do keys[#keys + 1] = "Bearer " .. line end
local path = os.getenv("REQUEST_PATH")
wrk.headers["Accept-Encoding"] = os.getenv("ACCEPT_ENCODING")
math.randomseed(os.time())

request = function()
  wrk.headers["Authorization"] = keys[math.random(#keys)]
  return wrk.format("GET", path)
end

-- A server that is slow to accept connections gets time to, before the first request of each.
local settling = tonumber(os.getenv("SETTLE_CONNECTIONS"))
if settling then
  delay = function()
    settling = settling - 1
    return settling >= 0 and tonumber(os.getenv("SETTLE_MS")) or 0
  end
end

-- A caller that keeps to a pace.
local pause = tonumber(os.getenv("PAUSE_MS"))
if pause then delay = function() return pause end end

done = dofile(os.getenv("HISTOGRAM"))
