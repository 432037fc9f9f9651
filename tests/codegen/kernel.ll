; A kernel that stages the 128x64 tile of halves through LDS: 256 threads, four 16-byte
; writes and sixteen 16-byte reads each. Rust has no pointers into LDS, so loads, stores
; and the barrier stand here; `@writes` and `@reads` are the functions of that name in
; functions.rs, and tests/codegen puts their symbols in.

@tile = internal addrspace(3) global [16384 x i8] poison, align 16

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()

define amdgpu_kernel void @stage(ptr addrspace(1) noalias %from, ptr addrspace(1) noalias %to) "amdgpu-flat-work-group-size"="256,256" {
start:
  %thread = call range(i32 0, 256) i32 @llvm.amdgcn.workitem.id.x()
  %lane = and i32 %thread, 63
  br label %fill

fill:
  %pass = phi i32 [ 0, %start ], [ %next_pass, %fill ]
  %before = mul i32 %pass, 256
  %pack = add i32 %before, %thread
  %there = getelementptr <4 x i32>, ptr addrspace(1) %from, i32 %pack
  %brought = load <4 x i32>, ptr addrspace(1) %there, align 16
  %write = call i32 @writes(i32 %thread, i32 %pass)
  %cell = getelementptr i8, ptr addrspace(3) @tile, i32 %write
  store <4 x i32> %brought, ptr addrspace(3) %cell, align 16
  %next_pass = add i32 %pass, 1
  %full = icmp eq i32 %next_pass, 4
  br i1 %full, label %wait, label %fill, !llvm.loop !900

wait:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  br label %drain

drain:
  %step = phi i32 [ 0, %wait ], [ %next_step, %drain ]
  %read = call i32 @reads(i32 %lane, i32 %step)
  %source = getelementptr i8, ptr addrspace(3) @tile, i32 %read
  %value = load <4 x i32>, ptr addrspace(3) %source, align 16
  %behind = mul i32 %step, 256
  %place = add i32 %behind, %thread
  %result = getelementptr <4 x i32>, ptr addrspace(1) %to, i32 %place
  store <4 x i32> %value, ptr addrspace(1) %result, align 16
  %next_step = add i32 %step, 1
  %empty = icmp eq i32 %next_step, 16
  br i1 %empty, label %end, label %drain, !llvm.loop !900

end:
  ret void
}

!900 = distinct !{!900, !901}
!901 = !{!"llvm.loop.unroll.full"}
