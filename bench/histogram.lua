-- What wrk measured, in full: its own summary has corrected percentiles only. Used by the scripts beside it.
return function(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("measured %d %d %d %d\n", summary.duration, summary.requests, failures, summary.bytes))
  for index = 1, #latency do
    local microseconds, count = latency(index)
    io.write(string.format("latency %d %d\n", microseconds, count))
  end
end
